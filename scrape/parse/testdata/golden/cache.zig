//! A cache.
const std = @import("std");
const clock = @import("clock.zig");
const Allocator = std.mem.Allocator;
const c = @cImport(@cInclude("time.h"));

/// Entries at most.
pub const limit: usize = 10;
var count: u32 = 0;

/// Cache keeps values. It forgets the oldest.
pub const Cache = struct {
    items: std.StringHashMap([]const u8),
    size: usize = 0,

    pub const Error = error{ Missing, TooOld };
    const Self = @This();

    /// Opens a cache.
    pub fn init(allocator: Allocator) Self {
        const Local = struct {
            fn less(a: u8, b: u8) bool {
                return a < b;
            }
        };
        _ = Local.less(1, 2);
        return .{ .items = std.StringHashMap([]const u8).init(allocator) };
    }

    pub inline fn get(self: *const Self, key: []const u8) Error!?[]const u8 {
        if (clock.now() > limit) return Error.TooOld;
        return self.items.get(key) orelse fallback(key);
    }
};

pub const Mode = enum(u8) {
    fast,
    slow,

    pub fn name(mode: Mode) []const u8 {
        return @tagName(mode);
    }
};

const Value = union(enum) { text: []const u8, number: i64 };

/// A list of any type.
pub fn List(comptime T: type) type {
    return struct {
        items: []T,

        const This = @This();

        pub fn append(self: *This, item: T) !void {
            _ = try self.grow();
            self.items[0] = item;
        }
    };
}

extern "c" fn fallback(key: []const u8) ?[]const u8;

const open = if (@hasDecl(std, "fs")) openFile else openOther;

test "a cache forgets" {
    var cache = Cache.init(std.testing.allocator);
    try std.testing.expect(try cache.get("a") == null);
}

test Cache {
    _ = count;
}
