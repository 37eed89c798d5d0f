package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// A client speaks to a "patina mcp" of its own.
type client struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	last    int
}

// connect starts "patina mcp" on a tree. sent is the text that a model gets before any answer: the
// tools and the instructions. The caller must close the client.
func (b *bench) connect(ctx context.Context, tree, home string) (c *client, sent string, err error) {
	c = &client{process: exec.CommandContext(ctx, b.patina, "mcp", "--project", tree)}
	c.process.Env = append(os.Environ(), "PATINA_HOME="+home)
	if c.in, err = c.process.StdinPipe(); err != nil {
		return nil, "", err
	}
	out, err := c.process.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	c.out = bufio.NewReader(out)
	if err := c.process.Start(); err != nil {
		return nil, "", err
	}
	var hello struct{ Instructions string }
	var list struct{ Tools json.RawMessage }
	err = errors.Join(
		c.request("initialize", map[string]any{
			"protocolVersion": "2025-06-18", "capabilities": struct{}{},
			"clientInfo": map[string]string{"name": "localise", "version": "1"},
		}, &hello),
		c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}),
		c.request("tools/list", struct{}{}, &list),
	)
	return c, hello.Instructions + string(list.Tools), err
}

// close closes the input, which ends the process.
func (c *client) close() error { return errors.Join(c.in.Close(), c.process.Wait()) }

func (c *client) send(message any) error {
	line, err := json.Marshal(message)
	if err == nil {
		_, err = c.in.Write(append(line, '\n'))
	}
	return err
}

// request sends a request and reads its result. It skips notifications before it.
func (c *client) request(method string, params, result any) error {
	c.last++
	if err := c.send(map[string]any{"jsonrpc": "2.0", "id": c.last, "method": method, "params": params}); err != nil {
		return err
	}
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		var m struct {
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		switch err := json.Unmarshal(line, &m); {
		case err != nil:
			return fmt.Errorf("%s: %w", method, err)
		case m.ID != c.last:
		case m.Error != nil:
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		default:
			return json.Unmarshal(m.Result, result)
		}
	}
}

// scry calls the tool scry and returns its text. The error is the tool's, if it reports one.
func (c *client) scry(args map[string]any) (string, error) {
	var r struct {
		Content []struct{ Text string }
		IsError bool
	}
	err := c.request("tools/call", map[string]any{"name": "scry", "arguments": args}, &r)
	switch {
	case err != nil:
		return "", err
	case len(r.Content) != 1:
		return "", fmt.Errorf("scry: %d blocks", len(r.Content))
	case r.IsError:
		return "", errors.New(r.Content[0].Text)
	}
	return r.Content[0].Text, nil
}
