// Checks the reserve of members: observers up to every bound of a node, and a member that links to it and is served all the same.
import { afterEach, expect, test } from 'vitest'
import type { Peer } from '../../src/model/index.js'
import { OBSERVER_LINKS_MAX, OBSERVERS_QUEUE_MAX_BYTES } from '../../src/network/limits.js'
import { closeLinks, TestNode, testPeer, until } from './support.js'

afterEach(closeLinks)

const BEYOND = 3
const MESSAGE_BYTES = 1024 * 1024

test('observers are linked up to the limit, further observers are refused, and members are fully served', async () => {
  const self = testPeer('validator')
  const observers = Array.from({ length: OBSERVER_LINKS_MAX + BEYOND }, (_, at) => testPeer(`observer ${at}`))
  const member = testPeer('member')
  const asObserver = ({ peer }: { readonly peer: Peer }): Peer => ({ ...peer, role: 'observer' })
  const node = await new TestNode(self, [self.peer, member.peer, ...observers.map(asObserver)]).start()
  const started = await Promise.all(observers.map((one) => new TestNode(one, [one.peer, node.record]).start()))
  await until(() => node.links.connected().length === OBSERVER_LINKS_MAX)
  await until(() => {
    const refused = started.filter((one) => one.links.lastError(self.peer.key)?.includes('its limit of'))
    return refused.length >= BEYOND
  })
  // They read nothing of what they are sent.
  const body = Buffer.alloc(MESSAGE_BYTES)
  for (let round = 0; round * MESSAGE_BYTES * OBSERVER_LINKS_MAX < 2 * OBSERVERS_QUEUE_MAX_BYTES; round += 1) {
    for (const key of node.links.connected()) node.links.send(key, 'payload', body)
  }
  const voter = await new TestNode(member, [member.peer, node.record]).start()
  await until(() => node.isConnected(member.peer.key))
  for (let message = 0; message < 16; message += 1) {
    expect(node.links.send(member.peer.key, 'payload', body)).toBe(true)
  }
  await until(() => voter.messages.length === 16)
  expect(node.links.connected().length).toBeLessThanOrEqual(OBSERVER_LINKS_MAX + 1)
})
