package hookcmd

import (
	"encoding/json"
	"strconv"
	"strings"
)

// toolKinds are the tools of the clients by their names in small letters, without underscores.
var toolKinds = map[string]ToolKind{
	"applypatch": EditTool, "edit": EditTool, "editfile": EditTool, "editfiles": EditTool, "inserteditintofile": EditTool,
	"multiedit": EditTool, "multireplacestringinfile": EditTool, "notebookedit": EditTool, "patch": EditTool,
	"replace": EditTool, "replacestringinfile": EditTool, "searchreplace": EditTool, "strreplace": EditTool,
	"strreplaceeditor": EditTool, "tabwrite": EditTool, "texteditor": EditTool,

	"create": WriteTool, "createfile": WriteTool, "write": WriteTool, "writefile": WriteTool,

	"bash": ShellTool, "execcommand": ShellTool, "localshell": ShellTool, "powershell": ShellTool, "runcommand": ShellTool,
	"runinterminal": ShellTool, "runshellcommand": ShellTool, "runterminalcmd": ShellTool, "shell": ShellTool,
	"terminal": ShellTool,

	"filesearch": SearchTool, "findtextinfiles": SearchTool, "glob": SearchTool, "grep": SearchTool, "grepsearch": SearchTool,
	"rg": SearchTool, "searchfilecontent": SearchTool,
}

// toolsByEvent are the tools of events that are of one tool only.
var toolsByEvent = map[string]ToolKind{
	"beforeShellExecution": ShellTool, "afterShellExecution": ShellTool, "afterFileEdit": EditTool,
	"BeforeShellExecution": ShellTool, "AfterShellExecution": ShellTool, "AfterFileEdit": EditTool,
	"pre_run_command": ShellTool, "post_run_command": ShellTool, "pre_write_code": EditTool, "post_write_code": EditTool,
}

// readTool fills in the fields of a tool.
func readTool(e *Event, in members) {
	e.ToolName = in.textAt("tool_name", "toolName")
	own := strings.TrimPrefix(e.ToolName, "developer__") // of goose
	if e.Tool = toolKinds[strings.ToLower(strings.ReplaceAll(own, "_", ""))]; e.Tool == OtherTool {
		e.Tool = toolsByEvent[e.Name]
	}
	given := toolInput(in)
	switch e.Tool {
	case ShellTool:
		e.Command = strings.Join(given.textsAt("command", "command_line", "commandLine", "cmd"), " ")
		if dir := given.textAt("cwd", "working_directory", "workdir"); e.Cwd == "" {
			e.Cwd = dir
		}
	case EditTool, WriteTool:
		readEdits(e, given)
	}
	if e.Kind == AfterTool {
		readResult(e, in)
	}
}

// toolInput returns the arguments of a tool. Some clients write them as a text that is JSON, and
// where an event is of one tool they are members of the event.
func toolInput(in members) members {
	if given := in.objectAt("tool_input", "toolArgs", "tool_args", "tool_info"); given != nil {
		return given
	}
	if text := in.textAt("tool_input", "toolArgs", "tool_args"); text != "" {
		var given members
		if json.Unmarshal([]byte(text), &given) == nil {
			return given
		}
		return members{"command": text} // the patch or the command alone
	}
	return in
}

// readEdits fills in the files that an edit changes, the texts that it replaces and writes.
func readEdits(e *Event, given members) {
	if patch := strings.Join(given.textsAt("command", "patch", "patchText", "input"), "\n"); strings.Contains(patch, patchBegin) {
		readPatch(e, patch)
		return
	}
	for _, part := range append([]members{given}, given.objectsAt("edits", "replacements")...) {
		for _, path := range part.textsAt("file_path", "filePath", "path", "notebook_path", "target_file", "absolute_path", "files") {
			e.addPath(path)
		}
		for _, name := range []string{"old_string", "oldString", "old_str", "before"} {
			e.Old = append(e.Old, part.textsAt(name)...)
		}
		for _, name := range []string{
			"new_string", "newString", "new_str", "after", "content", "contents", "file_text", "new_source", "code",
		} {
			e.New = append(e.New, part.textsAt(name)...)
		}
	}
}

// addPath adds a path that is not there yet.
func (e *Event) addPath(path string) {
	for _, known := range e.Paths {
		if known == path {
			return
		}
	}
	e.Paths = append(e.Paths, path)
}

// patchBegin is the first line of the patches of Codex, which other clients read, too.
const patchBegin = "*** Begin Patch"

// readPatch reads the paths and the lines of such a patch.
func readPatch(e *Event, patch string) {
	var removed, added strings.Builder
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "*** "):
			for _, mark := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "} {
				if path, ok := strings.CutPrefix(line, mark); ok && path != "" {
					e.addPath(path)
				}
			}
		case strings.HasPrefix(line, "-"):
			removed.WriteString(line[1:] + "\n")
		case strings.HasPrefix(line, "+"):
			added.WriteString(line[1:] + "\n")
		}
	}
	if removed.Len() > 0 {
		e.Old = append(e.Old, removed.String())
	}
	if added.Len() > 0 {
		e.New = append(e.New, added.String())
	}
}

// outputNames are the members of a tool's result that hold its output, in the order of reading.
var outputNames = []string{
	"stdout", "output", "text", "content", "textResultForLlm", "text_result_for_llm", "llmContent", "stderr", "error", "message",
}

// readResult fills in the output of a tool and whether it failed.
func readResult(e *Event, in members) {
	given := toolInput(in)
	for _, name := range []string{
		"tool_response", "tool_result", "toolResult", "tool_output", "result_json", "output", "error", "error_message",
	} {
		value := in[name]
		if text, ok := value.(string); ok && strings.HasPrefix(text, "{") {
			var object map[string]any
			if json.Unmarshal([]byte(text), &object) == nil {
				value = object
			}
		}
		if object, ok := value.(map[string]any); ok {
			e.readStatus(object)
		}
		if text := joinTexts(value, outputNames); text != "" {
			e.Output = strings.TrimPrefix(e.Output+"\n"+text, "\n")
		}
	}
	e.readStatus(in)
	if given.textAt("file_path") == "" {
		e.readStatus(given) // of Windsurf
	}
	if e.Tool == ShellTool && e.ExitCode == 0 {
		e.ExitCode = printedExitCode(e.Output)
	}
	e.Failed = e.Failed || e.ExitCode != 0 || strings.HasSuffix(e.Name, "Failure")
}

// readStatus reads the members by which clients say that a tool failed.
func (e *Event) readStatus(result members) {
	for _, name := range []string{"exit_code", "exitCode", "returncode"} {
		if code, ok := result[name].(float64); ok && code == float64(int32(code)) && e.ExitCode == 0 {
			e.ExitCode = int(code)
		}
	}
	for _, name := range []string{"is_error", "isError"} {
		if result[name] == true {
			e.Failed = true
		}
	}
	kind := result.textAt("resultType", "result_type", "failure_type")
	if result["success"] == false || kind == "failure" || kind == "error" || result.textAt("error") != "" {
		e.Failed = true
	}
}

// exitLines bounds the lines at each end of an output in which an exit code is looked for.
const exitLines = 4

// printedExitCode returns the exit code that a client prints with the output of a command, in a
// line of its own: "Exit Code: 1" of Gemini CLI, "Exit code 1" of Claude Code, "Process exited with
// code 1" of Codex. It returns 0 if there is no such line.
func printedExitCode(output string) int {
	lines := strings.Split(output, "\n")
	for i, line := range lines {
		if i >= exitLines && i < len(lines)-exitLines {
			continue
		}
		line = strings.ToLower(strings.TrimSpace(line))
		for _, mark := range []string{"exit code:", "exit code", "process exited with code", "<exited with exit code"} {
			rest, ok := strings.CutPrefix(line, mark)
			if !ok {
				continue
			}
			if code, err := strconv.ParseInt(strings.Trim(rest, " .>"), 10, 32); err == nil && code != 0 {
				return int(code)
			}
		}
	}
	return 0
}
