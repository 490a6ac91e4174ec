// An editor's language server for YAML, with the schema that a server serves: editor.mjs SCHEMA_URL
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const rpc = createRequire(import.meta.url)('vscode-jsonrpc/node');
const [schema] = process.argv.slice(2);
const program = join(import.meta.dirname, 'node_modules/yaml-language-server/bin/yaml-language-server');
const server = spawn(process.execPath, [program, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
const editor = rpc.createMessageConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));

const settings = { yaml: { validate: true, completion: true, hover: true, schemaStore: { enable: false } }, http: {}, '[yaml]': {}, editor: {}, files: {} };
editor.onRequest('workspace/configuration', ({ items }) => items.map(({ section }) => settings[section] ?? {}));
editor.onRequest('client/registerCapability', () => null);
const judged = new Map(); // what waits for the problems of a file
editor.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) => judged.get(uri)?.(diagnostics));
editor.listen();
await editor.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: { workspace: { configuration: true } } });
await editor.sendNotification('initialized', {});

const head = `# yaml-language-server: $schema=${schema}
workspace: {slug: acme, name: Acme Inc, time_zone: America/New_York}
host: {name: Ada Park, email: ada@acme.example}
schedules: {default: {weekly: {mon: ["09:00-17:00"]}}}
event_types:
  - slug: intro
    title: Intro call
    location: {type: video}
`;

// open opens a file and returns the problems that the server finds in it.
async function open(uri, text) {
  const problems = new Promise((resolve) => judged.set(uri, resolve));
  await editor.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  return problems;
}

assert.deepEqual(await open('file:///right.yaml', head + '    duration_minutes: 30\n'), []);

const wrong = await open('file:///wrong.yaml', head + '    duration_minutes: 0\n    colour: red\n');
assert.ok(wrong.some((p) => p.message.includes('colour')), JSON.stringify(wrong));
assert.ok(wrong.some((p) => p.range.start.line === 8), JSON.stringify(wrong));

await open('file:///typing.yaml', head + '    dur');
const { items } = await editor.sendRequest('textDocument/completion', { textDocument: { uri: 'file:///typing.yaml' }, position: { line: 8, character: 7 } });
const item = items.find(({ label }) => label === 'duration_minutes');
assert.ok(item, JSON.stringify(items.map(({ label }) => label)));
assert.match(JSON.stringify(item.documentation), /how long/);

await editor.sendRequest('shutdown');
await editor.sendNotification('exit');
