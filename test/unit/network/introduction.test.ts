/** Log of refused links, for any reason invented by a peer. */
import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keyString, type Peer } from '../../../src/model/index.js'
import { refusal, refusalFor } from '../../../src/network/handshake.js'
import { Introducer } from '../../../src/network/introduction.js'
import { PEER_LOG_INTERVAL_MS } from '../../../src/network/limits.js'
import type { Link } from '../../../src/network/link.js'

const peer: Peer = {
  key: keyString(createHash('sha384').update('peer').digest()),
  pop: Buffer.alloc(96),
  networkKey: keyString(Buffer.alloc(32, 1)),
  addresses: [],
  role: 'validator',
}
const link = { remote: '192.0.2.1:1', sendControl: () => {}, close: () => {} } as unknown as Link

/** An introducer, and the lines that people see of it. */
function introduced(): { readonly introducer: Introducer; readonly warnings: string[] } {
  const warnings: string[] = []
  const logger = {
    debug: () => {},
    info: () => {},
    warn: (_fields: object, message: string) => void warnings.push(message),
  }
  const nothing = { find: () => undefined, onReady: () => {}, banOf: () => undefined }
  const hello = (): never => {
    throw new Error('nobody is met')
  }
  return { introducer: new Introducer({ ownKey: peer.networkKey, hello, logger, ...nothing }), warnings }
}

describe('refusals of a peer', () => {
  let nowMs = 0
  beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => nowMs))
  afterEach(() => void vi.restoreAllMocks())
  const refuses = (introducer: Introducer, why: string): void =>
    introducer.onRefusal(link, refusal.encode(refusalFor(why)), peer)

  it('are logged at most once a minute, for any number of reasons', () => {
    const { introducer, warnings } = introduced()
    for (let at = 0; at < 100; at++) refuses(introducer, `reason ${at}`)
    expect(warnings).toEqual(['peer refuses this node'])
    nowMs += PEER_LOG_INTERVAL_MS
    refuses(introducer, 'reason 100')
    expect(warnings).toHaveLength(2)
  })

  it('are logged again after a minute only if the reason changed', () => {
    const { introducer, warnings } = introduced()
    introducer.refuse(link, refusalFor('one'), peer)
    nowMs += PEER_LOG_INTERVAL_MS
    introducer.refuse(link, refusalFor('one'), peer)
    expect(warnings).toHaveLength(1)
    introducer.refuse(link, refusalFor('two'), peer)
    expect(warnings).toHaveLength(2)
  })
})
