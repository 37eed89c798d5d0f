-- The test of the plugin in headless Neovim, in a repository that has an index: nvim --headless -u NONE -S test.lua.
-- It prints "ok" and ends with 0, or prints what is wrong and ends with 1.
local here = vim.fn.fnamemodify(vim.fn.resolve(vim.fn.expand('<sfile>:p')), ':h')
vim.opt.runtimepath:prepend(here)
vim.cmd('source ' .. vim.fn.fnameescape(here .. '/plugin/patina.lua'))
local patina = require('patina')

local said = {}
vim.notify = function(text) table.insert(said, text) end

local function fail(text)
  io.stderr:write(text .. '\n' .. table.concat(said, '\n') .. '\n')
  vim.cmd('cquit 1')
end

local function check(what, fine) if not fine then fail(what .. ': ' .. vim.inspect(vim.fn.getqflist({ title = 1, items = 1 }))) end end

-- list runs a command and waits for a quickfix list with another title, or for a message.
local function list(command)
  vim.fn.setqflist({}, ' ', { title = 'before', items = {} })
  said = {}
  vim.cmd(command)
  local came = vim.wait(300000, function()
    return vim.fn.getqflist({ title = 1 }).title ~= 'before' or #said > 0
  end, 20)
  if not came then fail(command .. ' has shown nothing') end
  return vim.fn.getqflist()
end

local function name(x) return vim.fn.fnamemodify(vim.fn.bufname(x.bufnr), ':t') end

local found = list('PatinaAsk pour tea into a cup')
check('ask', #found > 0 and name(found[1]) == 'tea.go' and found[1].text:find('PourTea', 1, true))
vim.cmd('cclose')

vim.cmd('edit tea.go')
vim.fn.search('^func AddMilk')
found = list('PatinaCallers')
check('callers', #found == 1 and name(found[1]) == 'tea.go' and found[1].lnum == 4 and found[1].text:find('PourTea', 1, true))
vim.cmd('cclose')
found = list('PatinaCallers PourTea')
check('callers of nobody', #found == 0 and said[1] == 'patina: nothing relevant')
found = list('PatinaWhy')
local text = ''
for _, x in ipairs(found) do text = text .. x.text .. '\n' end
check('why', text:find('feat: tea', 1, true) and text:find('AddMilk', 1, true))
vim.cmd('cclose')

-- Words of a user and of a repository are words, in whatever way they are written.
vim.g.ran = 0
found = list([[PatinaAsk `touch ran` $(touch ran) | let g:ran = 1 -- --limit]])
check('hostile words', vim.g.ran == 0 and vim.fn.filereadable('ran') == 0)
found = list('PatinaAsk zanzibar')
check('hostile text', #found > 0 and vim.g.ran == 0 and vim.fn.filereadable('ran') == 0)
vim.cmd('cclose')

-- A program that lies in the repository is not run, and one that is not there is named.
patina.setup({ path = vim.fn.getcwd() .. '/patina' })
list('PatinaAsk tea')
check('program in the repository', said[1]:find('lies in the repository', 1, true) and vim.fn.filereadable('ran') == 0)
patina.setup({ path = 'no-such-patina' })
list('PatinaAsk tea')
check('no program', said[1]:find('no program "no-such-patina"', 1, true))

-- Rows for fzf-lua, which is asked where it is there: the row that is chosen opens its place.
local rows, actions
package.loaded['fzf-lua'] = { fzf_exec = function(given, o) rows, actions = given, o.actions end }
patina.setup({ path = 'patina' })
vim.cmd('enew')
vim.cmd('PatinaAsk pour tea into a cup')
vim.wait(300000, function() return rows ~= nil end, 20)
check('rows', rows and rows[1]:find('tea.go:3: PourTea', 1, true))
actions.default({ rows[1] })
check('chosen row', vim.fn.expand('%:t') == 'tea.go' and vim.fn.line('.') == 3)
package.loaded['fzf-lua'] = nil

-- An error of patina is shown in its words.
patina.setup({ path = 'patina' })
vim.fn.delete('.patina', 'rf')
list('PatinaAsk tea')
check('no index', said[1]:find('no index for', 1, true))

io.stdout:write('ok\n')
vim.cmd('qall!')
