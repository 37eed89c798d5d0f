package local

import "golang.org/x/sys/unix"

// peerOf returns the user who connected, or who listened, at the other end of a socket.
func peerOf(fd int) (uid int, err error) {
	c, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return -1, err
	}
	return int(c.Uid), nil
}
