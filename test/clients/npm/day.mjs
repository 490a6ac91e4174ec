// The test of one booking's whole life through one client library. Once the tools are listed, both libraries check
// themselves that structured content matches the tool's output schema.
import assert from 'node:assert/strict';

const tools = ['list_public_event_types', 'get_availability', 'create_booking', 'reschedule_booking', 'cancel_booking'];

// host sends the token, guest sends none.
export async function day(host, guest) {
  for (const client of [host, guest]) {
    const listed = (await client.listTools()).tools;
    assert.deepEqual(listed.map((tool) => tool.name), tools);
    for (const tool of listed) assert.ok(tool.title && tool.description && tool.outputSchema && tool.annotations, tool.name);
  }
  const types = await done(guest, 'list_public_event_types', { workspace: 'demo' });
  assert.deepEqual(types.event_types.map((type) => [type.slug, type.price?.amount_cents]), [['intro', undefined], ['phone', undefined], ['workshop', 15000]]);

  // Far enough ahead that neither passes while the test runs.
  const [first, second] = [(await slots(guest))[40], (await slots(guest))[50]];
  const booking = {
    event_type: 'intro', slot_start: first, attendee_name: 'Grace Okafor', attendee_email: 'grace@example.com',
    attendee_time_zone: 'Europe/Berlin', notes: 'Zwölf Uhr paßt auch.\nDanke!',
  };
  await refused(guest, 'create_booking', booking, 'unauthorized');
  const booked = await done(host, 'create_booking', booking);
  assert.equal(booked.booked, true);
  assert.equal(booked.starts_at, first);
  assert.equal(Date.parse(booked.ends_at) - Date.parse(first), 30 * 60_000);
  assert.ok(!(await slots(guest)).includes(first), 'a booked slot is still offered');

  const { booking_id } = booked;
  const again = await refused(host, 'create_booking', booking, 'slot_unavailable');
  assert.equal(again.booking_id, booking_id);
  assert.ok(again.alternatives.length > 0);
  const paid = await refused(host, 'create_booking', { ...booking, event_type: 'workshop' }, 'payment_required');
  assert.ok(paid.booking_url);

  const move = { booking_id, slot_start: second };
  await refused(guest, 'reschedule_booking', move, 'unauthorized');
  const moved = await done(host, 'reschedule_booking', move);
  assert.equal(moved.starts_at, second);
  assert.deepEqual(await done(host, 'reschedule_booking', move), moved);

  await refused(guest, 'cancel_booking', { booking_id }, 'unauthorized');
  const canceled = await done(host, 'cancel_booking', { booking_id });
  assert.deepEqual(canceled, { canceled: true, booking_id, event_title: 'Intro call', refunded_cents: 0 });
  assert.deepEqual(await done(host, 'cancel_booking', { booking_id }), canceled);
  await refused(host, 'reschedule_booking', move, 'booking_canceled');

  await refused(guest, 'get_availability', { workspace: 'demo', event_type: 'intro', days: 31 }, 'invalid_argument');
  await assert.rejects(guest.callTool({ name: 'delete_everything', arguments: {} }), (err) => err.code === -32602);
}

async function slots(client) {
  return (await done(client, 'get_availability', { workspace: 'demo', event_type: 'intro', days: 14 })).slots;
}

async function done(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  assert.ok(!result.isError, `${name}: ${JSON.stringify(result.content)}`);
  assert.equal(result.content.length, 1);
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
}

async function refused(client, name, args, code) {
  const result = await client.callTool({ name, arguments: args });
  assert.ok(result.isError && !result.structuredContent, `${name} was not refused with ${code}: ${JSON.stringify(result)}`);
  const { error } = JSON.parse(result.content[0].text);
  assert.equal(error.code, code, error.message);
  assert.ok(error.message);
  return error;
}
