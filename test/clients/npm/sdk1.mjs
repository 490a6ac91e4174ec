// The TypeScript SDK's first generation: sdk1.mjs ENDPOINT TOKEN
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { day } from './day.mjs';

const [endpoint, token] = process.argv.slice(2);

async function connect(headers) {
  const client = new Client({ name: 'slotd-test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(endpoint), { requestInit: { headers } });
  await client.connect(transport);
  assert.equal(transport.protocolVersion, LATEST_PROTOCOL_VERSION);
  assert.equal(transport.sessionId, undefined);
  assert.equal(client.getServerVersion().name, 'slotd');
  assert.deepEqual(client.getServerCapabilities(), { tools: {} });
  assert.ok(client.getInstructions());
  await client.ping();
  return client;
}

const host = await connect({ Authorization: `Bearer ${token}` });
const guest = await connect({});
await day(host, guest);
await Promise.all([host.close(), guest.close()]);
