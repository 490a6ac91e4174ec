// The TypeScript SDK's second generation, in both eras: sdk2.mjs ENDPOINT TOKEN
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { day } from './day.mjs';

const [endpoint, token] = process.argv.slice(2);

async function connect(mode, version, headers) {
  const client = new Client({ name: 'slotd-test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint), { requestInit: { headers } }));
  assert.equal(client.getNegotiatedProtocolVersion(), version);
  assert.equal(client.getServerVersion().name, 'slotd');
  assert.deepEqual(client.getServerCapabilities(), { tools: {} });
  assert.ok(client.getInstructions());
  return client;
}

for (const [mode, version] of [['legacy', '2025-11-25'], ['auto', '2026-07-28'], [{ pin: '2026-07-28' }, '2026-07-28']]) {
  const host = await connect(mode, version, { Authorization: `Bearer ${token}` });
  const guest = await connect(mode, version, {});
  await day(host, guest);
  await Promise.all([host.close(), guest.close()]);
}
