local clock = require("lib.clock")
local log = require 'lib.log'
require("lib.setup").start()

-- Entries at most.
local LIMIT <const> = 10
MAX_AGE, MIN_AGE = 60, 1

--- Cache keeps values. It forgets the oldest.
-- @class Cache
local Cache = {
  size = 0,
  -- Counts what is kept.
  count = function(self)
    return self.size
  end,
}
Cache.__index = Cache

local defaults = {
  on_evict = function(key) log.debug(key) end,
  limit = LIMIT,
}

--- Opens a cache.
---@param path string
function Cache.open(path)
  local function trim(s)
    return s:gsub("%s+$", "")
  end
  local self = setmetatable({ items = {} }, Cache)
  self:load(trim(path))
  return self
end

--[[ Gets a value.
Counts the reading. ]]
function Cache:get(key)
  self.reads = self.reads + 1
  return self.items[key] or clock.now():text()
end

Cache.put = function(self, key, value)
  self.items[key] = value
end

local each = function(items, f)
  for k, v in pairs(items) do f(k, v) end
end

local function evict(cache)
  each(cache.items, function(k) cache:drop(k) end)
end

if not table.unpack then
  function compat_unpack(t) return unpack(t) end
end

return { Cache = Cache, evict = evict, helper = function() return evict end }
