// mcp-remote, the bridge to a URL for hosts that support only local servers: remote.mjs ENDPOINT TOKEN
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { day } from './day.mjs';

const [endpoint, token] = process.argv.slice(2);
const proxy = join(import.meta.dirname, 'node_modules/mcp-remote/dist/proxy.js');
const configs = await mkdtemp(join(tmpdir(), 'mcp-remote-'));

async function connect(...headers) {
  const client = new Client({ name: 'slotd-test', version: '1' });
  const args = [proxy, endpoint, '--allow-http', '--transport', 'http-only', ...headers.flatMap((header) => ['--header', header])];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: { ...process.env, MCP_REMOTE_CONFIG_DIR: configs }, stderr: 'ignore' }));
  return client;
}

const host = await connect(`Authorization:Bearer ${token}`);
const guest = await connect();
await day(host, guest);
await Promise.all([host.close(), guest.close()]);
await rm(configs, { recursive: true });
