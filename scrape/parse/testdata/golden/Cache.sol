// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Store.sol";
import {Ownable, Math as M} from "../lib/Access.sol";
import * as events from "./Events.sol";

uint256 constant LIMIT = 10;

error Missing(bytes32 key);

/// @title A cache of values.
/// @notice It forgets the oldest.
abstract contract Cache is Store, Ownable {
    enum Mode { Fast, Safe }

    /// An item and its age.
    struct Item {
        bytes32 value;
        uint64 age;
    }

    uint256 public constant MAX = 100;
    address private immutable owner_;
    mapping(bytes32 => Item) private items;
    IERC20 internal token;

    event Dropped(bytes32 indexed key, uint64 age);

    constructor(address first, IERC20 coin) Ownable(first) {
        owner_ = first;
        token = coin;
    }

    modifier onlyKnown(bytes32 key) {
        if (items[key].age == 0) revert Missing(key);
        _;
    }

    /**
     * @notice Gets a value.
     * @param key where it is
     */
    function get(bytes32 key) public view virtual onlyKnown(key) returns (bytes32) {
        return items[key].value;
    }

    function drop(bytes32 key) external onlyOwner {
        delete items[key];
        emit Dropped(key, 1);
        token.transfer(msg.sender, M.max(1, 2));
        IERC20(owner_).approve(address(this), 0);
        Worker(owner_).run{value: 1}(key);
        new Pool(key);
        super.drop(key);
        assembly {
            let x := add(1, 2)
        }
    }

    receive() external payable {
        touch();
    }

    function touch() internal virtual;
}

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function approve(address to, uint256 amount) external returns (bool);
}

library Words {
    type Key is bytes32;

    function trim(string memory s) internal pure returns (string memory) {
        return s;
    }
}
