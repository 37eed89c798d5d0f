-- Asks patina from Neovim (0.7 or newer): what answers a question, who calls the function around the cursor, why it is
-- as it is. Results come in fzf-lua or telescope where they are installed, else in the quickfix list.
--
-- Nothing of a repository runs: patina is started without a shell, its words are shown and never evaluated, and a
-- program that lies in the repository is not taken for patina.
local M = {}
local options = { path = 'patina', picker = 'auto', limit = 20 }

-- setup changes the options: path of the program; picker: auto, fzf-lua, telescope or quickfix; limit of results.
function M.setup(given) options = vim.tbl_extend('force', options, given or {}) end

local function notify(text, level) vim.notify('patina: ' .. text, level or vim.log.levels.WARN) end

-- one makes one line of a text of the repository.
local function one(text) return (tostring(text or ''):gsub('[%c]+', ' ')) end

-- root returns the top folder of the repository around the current file.
local function root()
  local dir = vim.fn.expand('%:p:h')
  if vim.fn.isdirectory(dir) == 0 then dir = vim.fn.getcwd() end
  local at = vim.fn.resolve(dir)
  while true do
    local git = at .. '/.git'
    if vim.fn.isdirectory(git) == 1 or vim.fn.filereadable(git) == 1 then return at end
    local up = vim.fn.fnamemodify(at, ':h')
    if up == at then return vim.fn.resolve(dir) end
    at = up
  end
end

-- program returns the path of patina, or nil and why it has none.
local function program(top)
  local path = vim.fn.resolve(vim.fn.exepath(options.path))
  if path == '' or path:sub(1, 1) ~= '/' then
    return nil, 'no program ' .. vim.inspect(options.path) .. " (require('patina').setup{ path = … })"
  end
  if path:sub(1, #top + 1) == top .. '/' then return nil, path .. ' lies in the repository, and is not run' end
  return path
end

-- run starts patina and calls done with its JSON. It returns at once.
local function run(top, args, done)
  local path, why = program(top)
  if not path then return notify(why, vim.log.levels.ERROR) end
  local out, errs = {}, {}
  local function into(list) return function(_, lines) vim.list_extend(list, lines) end end
  local command = vim.list_extend({ path }, args)
  local ok, job = pcall(vim.fn.jobstart, command, {
    cwd = top, stdin = 'null', stdout_buffered = true, stderr_buffered = true,
    on_stdout = into(out), on_stderr = into(errs),
    on_exit = function(_, code)
      local said = one(table.concat(errs, '\n')):gsub('^patina: ', '')
      if code == 1 then return notify('nothing relevant') end
      if code ~= 0 and code ~= 3 then return notify(said, vim.log.levels.ERROR) end
      if code == 3 then notify('the answer is not complete') end
      local fine, answer = pcall(vim.fn.json_decode, table.concat(out, '\n'))
      if not fine or type(answer) ~= 'table' then return notify('it has printed no JSON', vim.log.levels.ERROR) end
      done(answer)
    end,
  })
  if not ok or job <= 0 then notify('it does not start: ' .. one(job), vim.log.levels.ERROR) end
end

-- item makes an entry of a place. A path that leads out of the repository has no place.
local function item(top, path, line, text)
  local x = { text = one(text), lnum = math.max(tonumber(line) or 1, 1) }
  if type(path) == 'string' and path ~= '' and path:sub(1, 1) ~= '/' and not ('/' .. path .. '/'):find('/../', 1, true) then
    x.filename, x.label = top .. '/' .. path, path
  end
  return x
end

-- open shows an entry's place.
local function open(x)
  if not x or not x.filename then return end
  vim.cmd('edit ' .. vim.fn.fnameescape(x.filename))
  pcall(vim.api.nvim_win_set_cursor, 0, { x.lnum, 0 })
end

local function quickfix(title, items)
  local list = {}
  for _, x in ipairs(items) do
    table.insert(list, { bufnr = x.filename and vim.fn.bufadd(x.filename) or nil, lnum = x.filename and x.lnum or nil, text = x.text })
  end
  vim.fn.setqflist({}, ' ', { title = title, items = list })
  vim.cmd('botright copen')
end

local function fzf(title, items)
  local rows = {}
  for i, x in ipairs(items) do rows[i] = i .. '\t' .. (x.label and x.label .. ':' .. x.lnum .. ': ' or '') .. x.text end
  require('fzf-lua').fzf_exec(rows, {
    prompt = one(title) .. '> ', fzf_opts = { ['--delimiter'] = '\t', ['--with-nth'] = '2..' },
    actions = { ['default'] = function(chosen) open(items[tonumber(((chosen or {})[1] or ''):match('^%d+'))]) end },
  })
end

local function telescope(title, items)
  local conf = require('telescope.config').values
  require('telescope.pickers').new({}, {
    prompt_title = one(title),
    finder = require('telescope.finders').new_table({
      results = items,
      entry_maker = function(x)
        local shown = (x.label and x.label .. ':' .. x.lnum .. ': ' or '') .. x.text
        return { value = x, display = shown, ordinal = shown, filename = x.filename, lnum = x.lnum }
      end,
    }),
    sorter = conf.generic_sorter({}), previewer = conf.grep_previewer({}),
  }):find()
end

local function show(title, items)
  if #items == 0 then return notify('nothing found') end
  local picker = options.picker
  if picker == 'auto' then
    picker = pcall(require, 'fzf-lua') and 'fzf-lua' or pcall(require, 'telescope') and 'telescope' or 'quickfix'
  end
  local list = ({ ['fzf-lua'] = fzf, telescope = telescope, quickfix = quickfix })[picker]
  if not list then return notify('no picker ' .. vim.inspect(picker), vim.log.levels.ERROR) end
  list(title, items)
end

-- around calls done with the doc_id of what is around the cursor.
local function around(top, done)
  local file = vim.fn.resolve(vim.fn.expand('%:p'))
  if file:sub(1, #top + 1) ~= top .. '/' then return notify('this is no file of the repository') end
  local place = file:sub(#top + 2) .. ':' .. vim.fn.line('.')
  run(top, { 'scry', '--json', '--limit', '1', '--', place }, function(answer)
    local first = (answer.results or {})[1]
    if not first or not first.exact then return notify(place .. ' is not in the index (patina scrape)') end
    done(first)
  end)
end

-- ask shows what answers a question.
function M.ask(question)
  local top = root()
  run(top, { 'scry', '--json', '--limit', tostring(options.limit), '--', question }, function(answer)
    local items = {}
    for _, r in ipairs(answer.results or {}) do
      local path = not r.project and r.path or nil -- another project's file lies elsewhere
      table.insert(items, item(top, path, r.line or r.line_start, (r.project and r.project .. ' ' .. (r.path or '') .. ' ' or '') .. (r.symbol or r.doc_id) .. '  ' .. one(r.summary)))
    end
    show('patina: ' .. question, items)
  end)
end

local function callers(top, name)
  run(top, { 'callers', '--json', '--', name }, function(answer)
    local items = {}
    for _, f in ipairs(answer.facts or {}) do
      table.insert(items, item(top, f.path, f.line, (f.candidate and '? ' or '') .. f.symbol .. '  ' .. one(f.written)))
    end
    show('patina: callers of ' .. name, items)
  end)
end

-- callers shows who calls a function: the one around the cursor, unless it is named.
function M.callers(name)
  local top = root()
  if name and name ~= '' then return callers(top, name) end
  around(top, function(found) callers(top, found.doc_id) end)
end

-- why shows the commits behind what is around the cursor, and what changes with it.
function M.why()
  local top = root()
  around(top, function(found)
    run(top, { 'why', '--json', '--', found.doc_id }, function(answer)
      local r = (answer.results or {})[1] or {}
      local items = { item(top, r.path, r.line, r.summary) }
      for _, b in ipairs(r.breadcrumbs or {}) do
        table.insert(items, item(top, b.relation == 'co-changes' and b.target or nil, 1, b.relation .. ' ' .. b.target .. '  ' .. one(b.note)))
      end
      show('patina: why ' .. found.doc_id, items)
    end)
  end)
end

return M
