-- The commands of the plugin. Everything else is in lua/patina.lua, which is read when one of them is used.
local function command(name, nargs, what)
  vim.api.nvim_create_user_command(name, function(o) require('patina')[what](o.args) end, { nargs = nargs })
end
command('PatinaAsk', '+', 'ask')
command('PatinaCallers', '?', 'callers')
command('PatinaWhy', 0, 'why')
