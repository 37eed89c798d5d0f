// Package patina has no code: this is the tour of the project, from the bottom up. Each part
// imports only packages above it; internal/archtest/imports_test.go holds that. Words are
// explained where they are first used.
//
// # Pure code
//
// fusion/ merges rankings: fusion/lists.go numbers the hits of each channel, fusion/blend.go joins
// the channels of code by score, fusion/rrf.go those of the other kinds by rank, fusion/kinds.go
// ranks the kinds of one project, fusion/merge.go makes one list of all kinds and projects, and
// fusion/intent.go reads the intent of a question. Begin with fusion/types.go.
//
// fusion/period/ reads times and people from the words of a question and from flags.
//
// store/markdown/ tells the lines of Markdown apart: marks of fenced blocks, and headings.
//
// store/text/ makes words of writing (store/text/tokenizer.go), a ready question of a text
// (store/text/question.go) and posting lists of words; its arithmetic is in store/text/bm25.go.
//
// store/literal/ finds a text word for word: store/literal/literal.go in any text,
// store/literal/printed.go among the strings of a program, with the values they fill in.
//
// registry/route/ chooses the projects that a question visits: registry/route/sketch.go says
// roughly which words are common in a project, registry/route/router.go picks by them, and gives
// all projects asked one idf.
//
// belief/standing/ computes how well beliefs hold up against each other, by a published semantics
// of supports and attacks: belief/standing/claims.go makes a graph of the claims of beliefs,
// belief/standing/standing.go is the iteration, belief/standing/explain.go accounts for one score.
//
// graph/ holds small graphs: graph/graph.go is the values, graph/cut.go cuts one to a readable
// size, graph/place.go lays it out in layers (graph/layers.go, graph/order.go,
// graph/straighten.go).
//
// internal/printable/ says which characters a reader sees, and keeps emoji whole
// (internal/printable/emoji.go).
//
// internal/printable/quote.go spells words for the shells that people paste commands into.
// internal/archtest/ tests the tree itself: imports, this tour, names, constants, promises.
//
// internal/secrets/ finds tokens, passwords and keys in a text, by the rules of gitleaks
// (internal/secrets/rules.go); internal/secrets/probe.go says why that is fast.
//
// internal/sshsig/ signs texts with SSH keys (internal/sshsig/sshsig.go), and verifies by a file of
// trusted ones (internal/sshsig/allowed.go).
//
// # What is kept
//
// internal/lazyregexp/ compiles regular expressions when they are first used.
//
// internal/safeio/ reads small files that a stranger may have put there: no link, no device, no
// pipe, no more bytes than expected.
//
// store/vector/ keeps vectors in a flat file and finds the nearest: store/vector/file.go is the
// file, store/vector/scan.go looks at every row, store/vector/hnsw.go is the index for very many.
//
// store/sqlite/ opens SQLite databases, and alone knows the driver: store/sqlite/options.go is each
// setting with its reason, store/sqlite/guard.go limits a stranger's file,
// store/sqlite/session.go how an index is asked many small questions, store/sqlite/migrate.go how
// the schema of authored data grows, and store/sqlite/sandbox.go runs a stranger's queries.
//
// store/doc/ defines the values in an index: store/doc/types.go defines files, symbols, chunks
// and commits, store/doc/kinds.go which kinds of documents there are, store/doc/embedder.go
// the embedders; store/storetest/ has two that need no model.
//
// store/folder/ is the folder of an index: store/folder/layout.go names the files in it and
// who may write, store/folder/folder.go refuses files that may be a stranger's.
//
// store/format/ is the stored form of an index: store/format/schema.go is the schema,
// store/format/codec.go packs columns into blobs, store/format/checksums.go finds flipped bits.
//
// store/ is the index of one repository, one SQLite database, as a reader of one published state (a
// generation) sees it. store/DESIGN.md says which data a crash may lose.
//
// store/build/ writes an index: store/build/writer.go begins and ends a generation,
// store/build/worker.go takes files, store/build/revisions.go commits, store/build/embed.go makes
// vectors of both, store/build/copies.go finds the files that repeat others, and
// store/build/publish.go makes all of it visible.
//
// store/build/extract.go copies an index for another machine, and store/build/install.go takes one
// from there. store/archive/ is the file in which it travels: store/archive/archive.go lists its
// members, store/archive/read.go accepts nothing else.
//
// store/overlay/ keeps vectors by a model of the user's beside the built-in ones:
// store/overlay/update.go embeds missing texts, store/overlay/log.go holds the rows with the keys
// of their texts, store/overlay/passages.go reads texts back from an index, and
// store/overlay/view.go is the readers' side.
//
// code/manifest/ reads the files by which projects name themselves and their needs, one file an
// ecosystem. scrape/packages.go says by them which package a file belongs to,
// code/imports/manifests.go where its imports lead, registry/mother/manifest.go which
// repositories need each other.
//
// code/lang/ holds the facts about each language, one file a language: how its files are named,
// the form of its comments and tests, and the meaning of the nodes of its grammar
// (code/lang/grammar.go). code/lang/plain.go lists the languages without a parser.
//
// code/imports/ finds where an import leads: code/imports/imports.go follows imports by the paths
// of each language, code/imports/resolver.go keeps the files of a view by the names of their
// modules. code/xref/ finds the meaning of a call: code/xref/calls.go finds the definitions that a
// call may mean, code/xref/judge.go weighs one of them. Neither reads a database.
//
// store/excerpt/ chooses the part of a file that answers a question, and the lines to show:
// store/excerpt/words.go weighs words, store/excerpt/parts.go finds the parts and
// store/excerpt/choose.go rates them.
//
// code/lookup/ answers look-ups by name: code/lookup/resolve.go finds documents,
// code/lookup/matches.go lines of them by their text.
//
// code/callers/ finds who calls a symbol and who imports a file. code/history/ has the commits of a
// file, its earlier paths and the files that change with it.
//
// code/impact/ finds what a change may reach: code/impact/calls.go who calls it,
// code/impact/tests.go which tests reach it, and code/impact/rank.go which files may change too.
//
// code/describe/ makes the text of a result: code/describe/describe.go of a document,
// code/describe/overview.go of a folder.
//
// code/assay/ answers questions about facts: code/assay/callers.go who calls a symbol,
// code/assay/files.go the imports of a file, and who imports it.
//
// store/markdown/frontmatter.go reads the block of YAML or TOML that may open a document.
//
// belief/ reads a belief's file, which other beliefs it supports and attacks, and the
// code that it cites (belief/citations.go). Its tables keep beliefs and sessions.
//
// belief/knowledge/ reads them from an index: belief/knowledge/held.go all of them with their
// standing, belief/knowledge/words.go the ones that match words (BM25), belief/knowledge/note.go
// the words about one in an answer, and where its links lead, belief/knowledge/reach.go the code
// that one is about. store/ keeps beliefs that belief/ parses, so this one cannot be part of it.
//
// store/doc/outside.go describes a document that no index holds.
//
// store/imports.go lists the files of an index with the imports of each.
//
// internal/glob/ matches path patterns in bounded time.
//
// belief/audit/ examines beliefs: belief/audit/audit.go gathers the evidence for them,
// belief/audit/findings.go lists their faults.
//
// belief/verify/ runs the checks that beliefs bring along: belief/verify/blocks.go finds them,
// belief/verify/views.go lists the views they may read, belief/verify/run.go runs one in a sandbox.
//
// belief/mine/ proposes beliefs: belief/mine/proposal.go finds sentences in which commits and
// comments say why, belief/mine/dismissed.go keeps the ones that nobody wants.
//
// scrape/git/ starts git so that no program named by a repository runs.
//
// scrape/git/ reads git: a working tree's current commit, and the commits before it.
//
// scrape/follow.go lists the commits that changed the lines of one symbol.
//
// scrape/openat/ opens the files of a folder, and no file outside of it.
//
// scrape/chunk/ cuts a text into lines (scrape/chunk/source.go) and lines into chunks.
//
// scrape/class/ finds further properties of a file: a test, an example, generated, vendored.
//
// scrape/content/ reads one file, or says why it is left out: credentials are, and a file that is
// no text.
//
// scrape/split/ finds the definitions of a text in a language without a parser, by their
// keywords.
//
// scrape/markup/notebook.go reads notebooks as programs, with the lines of the file.
//
// scrape/markup/ finds the programs in components and pages: scripts, expressions of
// templates, and the components that tags name.
//
// scrape/syntax/ reads the outline of a text by tree-sitter: the names it defines, calls and
// imports. scrape/syntax/outline.go walks the nodes by the rules of the language, and
// scrape/syntax/parsers.go names the compiled parsers.
//
// scrape/parse/ turns a text into the values that the store keeps: symbols, sections, calls,
// chunks. scrape/parse/parse.go picks the reader by language.
//
// scrape/prose/ reads the blocks and sentences of documents: scrape/prose/read.go.
// It reads decision records (scrape/prose/record.go), the rules that a project gives to agents
// (scrape/prose/rule.go), and cuts the record of a working session into blocks
// (scrape/prose/session.go). It finds the sentences that say why, in bodies of commits
// (scrape/prose/commitreasons.go) and in comments (scrape/prose/commentreasons.go).
//
// scrape/walk/ lists the files of a folder that count, as git and .patinaignore say.
// scrape/walk/look.go compares a tree with its index by times alone.
//
// scrape/ coordinates: it lists, compares, reads with many workers, and publishes.
// scrape/scrapetest/ makes folders and repositories for its tests.
//
// code/brief/ introduces a repository in its own words, for people and agents who are new to it:
// code/brief/read.go gathers the parts that code/brief/brief.go lists.
//
// registry/ knows the repositories of a user: registry/project.go has the look-ups,
// registry/mother.go the one database behind that, registry/copy.go the copy for older versions.
//
// memory/merge/ decides whether two notes say the same: memory/merge/merge.go is the rule,
// memory/merge/propose.go a wider one for people to look at, memory/merge/words.go the words they
// compare.
//
// memory/ground/ hashes the subject of a note: memory/ground/ground.go compares it with the tree
// and asks git for renames, memory/ground/tokens.go leaves comments and spaces out.
//
// memory/recall/ ranks notes and turns for a question: memory/recall/index.go by the words
// in their fields, memory/recall/score.go with meaning, confidence and age, and
// memory/recall/synonyms.go knows the other forms of words.
//
// memory/transcript/ reads conversations: memory/transcript/transcript.go finds notes in the
// transcripts of agents, by whom they were said, memory/transcript/marker.go the ones that agents
// mark in any text, and memory/transcript/turns.go the turns of a project's sessions.
// memory/transcript/spoken.go makes turns of conversations with agents,
// memory/transcript/failure.go of commands that failed and were mended.
//
// memory/turns/ keeps these turns: memory/turns/ingest.go reads the new parts of transcripts,
// memory/turns/segment.go is the index, memory/turns/rank.go ranks, memory/turns/find.go answers.
//
// memory/ keeps notes: memory/memory.go defines a memory, memory/store.go how it is written,
// memory/change.go how it ends, memory/export.go its form as JSON lines. memory/recall.go finds
// memories, by the lists of memory/posting.go and the vectors of memory/vector.go, and
// memory/about.go those about a place.
//
// registry/settings.go reads the settings of a user or a team. registry/querylog/ remembers answers
// by their ids, and the cost of each.
//
// registry/models/ keeps the models that a user has added (registry/models/models.go), and for
// which texts each is chosen (registry/models/choice.go).
//
// memory/persona/ is the log of a user's notes for all projects: memory/persona/event.go reads a
// line, memory/persona/append.go writes one, memory/persona/resolve.go finds the notes that hold.
// memory/usersync.go makes a store of it, with the tables of a project's memories and scope user
// (memory/user.go), and memory/usersearch.go searches that.
//
// actors/actor/ runs actors, which handle one message at a time: actors/actor/actor.go has
// mailboxes, ids and the order in which things end.
//
// actors/actor/ measures for how long the process was kept from running: actors/actor/stall.go by a
// timer that is late, actors/actor/stopwatch.go tells a time that leaves it out.
//
// # What ranks
//
// oracles/ holds the ways to rank documents, one file each: oracles/lexical.go by words
// (oracles/bm25.go), oracles/semantic.go by meaning (oracles/nearest.go), oracles/temporal.go by
// the votes of past commits (oracles/votes.go). oracles/evidence.go weighs the evidence for a
// document whatever found it, oracles/outside.go for one that no index holds. oracles/oracle.go is
// the interface; oracles/oracletest/ has the tests that every oracle must pass.
//
// oracles/translate.go searches for the words of code that stand for words that find little;
// oracles/dictionary/ has them.
//
// oracles/embed/ makes vectors of text: oracles/embed/model.go is the model as the store sees it,
// oracles/embed/trainer.go the step that fits its table, oracles/embed/adapt.go how a repository
// does so.
//
// oracles/transformer/tokenize/ turns texts into the ids of pieces that a transformer model takes,
// as the tokenizer.json of the model says: oracles/transformer/tokenize/load.go reads it,
// oracles/transformer/tokenize/tokenizer.go applies it.
//
// oracles/transformer/onnx/ reads the outline of a graph without its weights;
// oracles/transformer/graphtest/ writes small graphs for tests.
//
// oracles/transformer/ embeds by a model of the user's own, which ONNX Runtime runs:
// oracles/transformer/options.go holds the options, oracles/transformer/inspect.go reads the
// model's folder, oracles/transformer/model.go embeds, oracles/transformer/slots.go is the actor
// that bounds how much runs at once.
//
// oracles/embed/train/ makes the built-in table from the public code listed in
// oracles/embed/train/sources.txt. oracles/embed/train/patina-train/ is its command
// (docs/embedder.md). The two are a module of their own.
//
// # What answers
//
// actors/api/ has the values that cross the border of an engine, all of them plain data:
// actors/api/api.go is the question and its answer, actors/api/service.go every other request and
// answer. actors/api/messages.go has the messages between an engine and a project.
//
// actors/ranking/ reads a question and makes one answer of the lists found for it:
// actors/ranking/question.go checks it and reads its terms and its intent, actors/ranking/answer.go
// fuses, and keeps the descriptions.
//
// actors/lookups/ answers requests that rank nothing. A desk in actors/lookups/lookups.go is all
// that one may use.
//
// actors/ asks all oracles at once under a deadline, collects evidence, fuses and answers.
// actors/read.go is the actor of a look-up. A question passes actors/request.go, which names it;
// actors/router.go, which asks the projects it names; and actors/fanout.go, which in each project
// pins a generation, asks the oracles and weighs their hits. actors/fusion.go gathers all of
// it under the deadline, fuses and answers; actors/gathering.go is its plain state.
// actors/target.go lets others ask a project of this engine, and actors/peer.go asks one that is
// somewhere else. actors/reside.go says when a process that stays collects its garbage.
//
// registry/mother/ is the graph of a user's repositories: registry/mother/edge.go links them,
// registry/mother/learn.go moves the weights by use. registry/mother/suggest.go finds
// edges in the declarations of manifests (registry/mother/manifest.go) and files import
// (registry/mother/modules.go).
//
// # Who asks
//
// ask/project/ finds the project around a folder (ask/project/locate.go), opens an engine on it
// (ask/project/open.go), scrapes it (ask/project/scrape.go), and reads the words a user types as
// names of its index (ask/project/names.go).
//
// ask/clones/ keeps the repositories that patina has cloned.
//
// ask/embedders/ opens the models that users have chosen, once for the process
// (ask/embedders/pool.go), and keeps the last questions with their vectors
// (ask/embedders/questions.go). ask/project/embed.go makes the vectors of a project, which
// ask/embedders/queue.go does in the background of a server.
//
// ask/fresh/ is told by the file system which files change in a tree (ask/fresh/events.go), and has
// it read before an answer (ask/fresh/watcher.go).
//
// ask/fresh/ looks whether a tree has moved away from its index (ask/fresh/look.go), and keeps the
// two together while the project is open (ask/fresh/follow.go).
//
// ask/teamindex/ gives the index of a repository to a team (ask/teamindex/pack.go), takes one over
// (ask/teamindex/import.go), and speaks with registries of containers
// (ask/teamindex/registry.go).
//
// ask/govern/ finds the knowledge that governs an act of a coding agent: ask/govern/held.go the
// beliefs and decisions about an edited file, ask/govern/rule.go the rules, ask/govern/note.go the
// notes about it, about a command or about an error. ask/govern/refuse.go says which texts are
// never shown there.
//
// ask/visit/ finds the other projects that a question may go to (ask/visit/visit.go), and decides
// the parts that each of them shows (ask/visit/shared.go) and which of them a client may name
// (ask/visit/admitted.go).
//
// ask/session/ gathers what an agent should know when its session begins: ask/session/parts.go
// reads the parts, ask/session/visits.go remembers the last sessions, ask/session/asked.go what was
// asked.
//
// ask/ answers a request, whoever makes it. ask/call.go begins a call, ask/request.go and
// ask/answer.go define questions and answers. ask/fresh.go compares the tree beside
// the question, ask/visits.go goes to other projects, ask/log.go remembers. ask/project/hint.go
// adds to errors the way out. ask/graph.go draws maps, and ask/graphnear.go what is around a
// document.
//
// cmd/internal/serve/ keeps engines open between the calls of a server, within bounds
// (cmd/internal/serve/room.go).
//
// # Other machines
//
// wire/ turns questions and look-ups into messages and back. wire/nodepb/ is the protocol
// (wire/nodepb/node.proto) with its generated code.
//
// wire/config/ reads which nodes, repositories and groups of users there are. wire/placement/ says
// which node hosts which repository.
//
// wire/serve/ answers other machines: wire/serve/query.go is the stream of a question,
// wire/serve/watch.go sends beats, and wire/serve/gate.go says who may ask.
//
// wire/host/ keeps the repositories of a node: wire/host/repository.go fetches, scrapes and hosts
// one of them, and wire/host/leaving.go drops those that other nodes have.
//
// wire/peer/ asks other machines: wire/peer/state.go says whether a node may be asked,
// wire/peer/choice.go which replica is asked, and wire/peer/target.go makes of a repository what an
// engine asks as one of its own.
//
// wire/local/ lends engines to the other processes of the user: wire/local/server.go keeps them,
// wire/local/lent.go is one as its borrower sees it, wire/local/socket.go says who may come, and
// wire/local/pages.go lets it serve the pages of "patina ui".
//
// wire/front/ answers for the repositories of all nodes: wire/front/pass.go passes a question on,
// wire/front/hosts.go joins what the nodes host, and wire/front/counts.go sums up their words.
//
// wire/mother/ is the client of a user's fronts: wire/mother/client.go connects when something is
// asked, and wire/mother/sketches.go keeps sketches of repositories on other machines.
//
// wire/pki/ makes the certificates by which machines know each other: wire/pki/ca.go signs them,
// wire/pki/invite.go for whoever shows the token of an invitation, and wire/pki/tls.go checks them
// on both ends of a connection. wire/pki/pkitest/ makes some for tests. wire/enrol/ is how they
// travel: wire/enrol/server.go is what a front answers, wire/enrol/client.go joins and renews, and
// wire/enrol/keep.go renews in time.
//
// wire/metrics/ lets others see how a node or a front is: wire/metrics/calls.go counts and times
// calls, wire/metrics/collect.go reads the rest, wire/metrics/listen.go answers for metrics and
// health, and wire/metrics/traces.go sends spans.
//
// wire/attack/ is the tests that come as attackers, to a node and a front as they run.
//
// # What people touch
//
// cmd/internal/agentcmd/ writes patina into the settings of coding agents and takes it out again.
// cmd/internal/agentcmd/clients.go is the table of clients, cmd/internal/agentcmd/plan.go plans the
// change of each file, and cmd/internal/agentcmd/edit.go edits a file as bytes.
//
// cmd/internal/uninstallcmd/ lists all that patina has written, and removes it:
// cmd/internal/uninstallcmd/home.go knows the files in a home, and which of them a user wrote.
//
// cmd/internal/hookcmd/ answers the hooks that agents call: cmd/internal/hookcmd/read.go reads the
// events of all clients, cmd/internal/hookcmd/format.go writes the answers,
// cmd/internal/hookcmd/start.go says what is known when a session begins,
// cmd/internal/hookcmd/act.go at a tool.
//
// cmd/internal/indexcmd/ is "patina index". Its tests against a registry,
// deploy/check/registry/, are a module of their own.
//
// cmd/internal/layout/ makes harmless lines of the texts in a repository, and JSON
// (cmd/internal/layout/encode.go).
// cmd/internal/layout/layouttest/ has helpers that tests of texts share.
//
// cmd/internal/drawing/ writes a graph, one file a form, such as cmd/internal/drawing/svg.go.
//
// cmd/internal/dialect/ spells the calls that answers advertise, for a shell or for an agent
// (cmd/internal/dialect/mcp.go).
//
// cmd/internal/deliver/ turns an answer into text or JSON, within a budget. Facts are written in
// cmd/internal/deliver/facts.go, beliefs in cmd/internal/deliver/beliefs/, and what a change may
// reach in cmd/internal/deliver/impacts/.
//
// cmd/internal/loopback/ limits the connections of servers on this machine's own address.
//
// cmd/internal/mcp/ serves the tools of patina to agents: cmd/internal/mcp/tools.go lists them,
// cmd/internal/mcp/args.go reads their arguments, cmd/internal/mcp/stdio.go and
// cmd/internal/mcp/http.go carry the messages.
//
// cmd/internal/print/ puts an answer before whoever asked: cmd/internal/print/print.go in which
// form, cmd/internal/print/explain.go the way out of an error.
//
// cmd/internal/serve/ is "patina mcp": cmd/internal/serve/toolbox.go makes a request of the
// arguments of a tool, cmd/internal/serve/client.go finds the project that a client means.
//
// cmd/internal/ui/ is "patina ui": cmd/internal/ui/guard.go says who may see a page,
// cmd/internal/ui/ask.go answers a question, cmd/internal/ui/thing.go shows one document whole, and
// cmd/internal/ui/rank.go why it has its rank. cmd/internal/ui/project.go shows a project as a
// whole. cmd/internal/ui/paint/ colours code.
//
// cmd/internal/mcp/mcptest/ reads the calls of tools that answers print, for tests.
//
// cmd/patina/ is the command, one file a subcommand; its stories are in
// cmd/patina/testdata/script/. Groups of commands are packages beside it: cmd/internal/beliefcmd/,
// cmd/internal/memorycmd/ (memory and persona), cmd/internal/modelcmd/,
// cmd/internal/mothercmd/ (repo and mother),
// cmd/internal/agentcmd/, cmd/internal/hookcmd/, cmd/internal/doctorcmd/, cmd/internal/evalcmd/,
// cmd/internal/nodecmd/. All are built on cmd/internal/cli/: streams, errors with hints, exit
// codes.
//
// # What measures
//
// bench/ is a program that measures speed on one repository (bench/main.go lists its parts). Its
// last results are in bench/RESULTS.md.
//
// bench/eval/ measures quality: it asks questions with known answers and switches off one channel
// after the other. It is the package behind "patina eval". bench/eval/rankings/ ranks files and
// functions by plain means beside the engine, on questions from commits and comments of
// repositories; bench/eval/patina-eval/ is its command, and no part of patina.
//
// bench/eval/ab/ compares configurations of answers over tasks with known needs:
// bench/eval/ab/arm.go lists the choices, bench/eval/ab/run.go asks, bench/eval/ab/judge.go
// lets a command of the user judge. Its tasks about two projects are in bench/eval/ab/tasks/.
// bench/eval/self/ measures a project on questions that it answers by itself:
// bench/eval/self/run.go asks them, bench/eval/self/truths.go lists the sorts. bench/eval/record/
// keeps the means over time and draws them. bench/eval/routes/ asks questions in one repository
// that another answers, and bench/eval/spend/ counts the tokens of answers in several forms.
//
// bench/eval/act/ measures hooks at an edit or a command: bench/eval/act/echo.go by a scripted
// client, bench/eval/act/run.go by tasks of an agent.
//
// bench/eval/conversation/ measures recall on long conversations that the user has fetched.
//
// bench/eval/fixture/ writes an invented project with its history. The answers to questions about
// it are kept in cmd/patina/testdata/goldens/.
//
// bench/localise/ lets two scripted agents look for files: one asks the tools of patina
// (bench/localise/asking.go), one searches and reads (bench/localise/searching.go).
//
// bench/house/ measures how a Go tree reads: sizes, names, comments (bench/house/house.go).
//
// bench/turns/ measures how turns of conversations with agents are found, and how fast.
//
// bench/notes/ asks public sets of notes and sessions, and for the newest of several rules.
//
// bench/callers/ measures "assay callers" beside a language server (bench/callers/peer.go).
//
// bench/impact/ measures "patina impact" on merged changes (bench/impact/changes.go), and on tests
// that fail after a mutation (bench/impact/mutations.go).
//
// bench/torture/ kills scrapes, fills disks and flips bits.
//
// bench/nodes/ kills, cuts off and loads nodes and fronts, each a process (bench/nodes/cluster.go).
//
// deploy/check/ reads what is in deploy/, for containers and services, with the tools of its field.
//
// third_party/notices/ writes the list of linked modules and their licences in THIRD-PARTY.md.
// third_party/grammars/ packs the tables of parsers for releases (third_party/grammars/pack.go).
// third_party/web/ holds the files of others that pages need. The other folders of third_party/ are
// stand-ins for modules whose code is never called.
//
// # What this project believes
//
// layer/ holds decisions in the format that patina reads: layer/surface/epistemic/beliefs/ has a
// file for each, with its evidence, its checks and the rejected choices; layer/core/ has the
// principles behind them. internal/archtest/layer_test.go holds that their citations exist.
//
// # From a question to the printed line
//
// Each step is a function, in the order of the calls.
//
//  1. question in cmd/patina/asking.go makes a request of the words and flags that a user typed.
//  2. locate in ask/project/locate.go finds the project around the working folder.
//  3. Ask in ask/call.go answers the request: it compares the tree, and asks.
//  4. Open in ask/project/open.go opens an engine on the index of that project.
//  5. Prepare in actors/ranking/question.go checks the question and reads its terms and its intent.
//  6. route in actors/router.go starts the actor of the query and asks each project.
//  7. beginFanout in actors/fanout.go pins one generation of the index.
//  8. scatter in actors/fanout.go asks all oracles at once.
//  9. BM25 in oracles/bm25.go ranks by words; the other oracles have a file each beside it.
//  10. Lists in store/postings.go reads the posting lists of the question's terms.
//  11. Evidence in oracles/evidence.go weighs the evidence for each document that any oracle found.
//  12. Fuse in fusion/merge.go makes one ranking of all lists.
//  13. Describe in code/describe/describe.go makes the texts of the first results.
//  14. Choose in store/excerpt/choose.go finds the right symbol in a file, and its best lines.
//  15. Snippets in cmd/internal/deliver/answer.go prints them within the budget.
//
// # From the bytes of a file to its postings
//
//  1. Scrape in ask/project/scrape.go says whose index it is and starts the run.
//  2. Files in scrape/walk/walk.go lists the files that count, by git.
//  3. compareFiles in scrape/jobs.go finds those that have changed since the last scrape.
//  4. readFile in scrape/content/content.go reads one and decodes its bytes.
//  5. Parse in scrape/parse/parse.go finds its symbols, calls and imports.
//  6. Cut in scrape/chunk/chunk.go cuts it at them into chunks.
//  7. Put in store/build/worker.go keeps its row and hands the chunks to an inverter.
//  8. Add in store/text/inverter.go counts the words of a chunk by field.
//  9. flush in store/build/segment.go writes the posting lists of many files as one segment.
//  10. Publish in store/build/publish.go makes all of it visible at once, as a new generation.
package patina
