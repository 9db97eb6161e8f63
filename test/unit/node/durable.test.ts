/** The vote log at a start: a first one, a lost one, a damaged one, with and without the word of the operator and the marks. */
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DurableRecord } from '../../../src/consensus/index.js'
import { causeOf, markedAppend, openLogs, openVotes } from '../../../src/node/consensus/durable.js'
import type { NodeKeys } from '../../../src/node/identity/identity.js'
import {
  markPathOf,
  QueueLog,
  StagingLog,
  VOTE_KEYS_FILE,
  VOTE_LOG_FILE,
  VoteLog,
  votedMarks,
} from '../../../src/storage/index.js'
import { temporaryFolder } from '../../support/chain.js'

const CHAIN = Buffer.alloc(32, 1)
const OTHER_CHAIN = Buffer.alloc(32, 2)
let root: string
let remove: () => Promise<void>
let keyFile: string
let open: VoteLog[]

beforeEach(async () => {
  const folder = await temporaryFolder()
  root = folder.path
  remove = folder.remove
  keyFile = join(root, 'validator.json')
  open = []
  await writeFile(keyFile, '{}')
  await mkdir(join(root, 'data'))
})
afterEach(async () => {
  for (const votes of open) await votes.close()
  await remove()
})

const marks = (chain = CHAIN) => votedMarks([keyFile], chain)
const keyOf = (byte: number): NodeKeys['validator'] => ({
  publicKey: { algorithm: 'bls', bytes: Buffer.alloc(48, byte) },
  secret: undefined,
})
const VALIDATOR = { validator: keyOf(1), nextValidator: undefined }
const OBSERVER = { validator: keyOf(2), nextValidator: undefined }
async function start(height: number, given: Partial<Parameters<typeof openVotes>[0]> = {}) {
  const options = { firstStart: false, acceptAmnesia: false, keys: VALIDATOR, marks: marks(), ...given }
  const votes = await openVotes({ dataDir: join(root, 'data'), logger: pino({ enabled: false }), ...options }, height)
  open.push(votes)
  return { votes, cause: causeOf(votes.abstaining) }
}
const loseData = async (votes: VoteLog): Promise<void> => {
  await votes.close()
  open = []
  await rm(join(root, 'data', VOTE_LOG_FILE))
}
const ENTERED: DurableRecord = {
  kind: 'entered',
  value: { height: 2, view: 1, entry: undefined, highPrepare: undefined },
}
const TIMED_OUT: DurableRecord = {
  kind: 'timedOut',
  value: {
    height: 2,
    timeout: {
      height: 2,
      view: 0,
      highPrepare: undefined,
      reason: 'noProposal',
      index: 0,
      signature: Buffer.alloc(96),
    },
  },
}

describe('a start without a vote log', () => {
  it('waits for a quorum at genesis, also after restarts', async () => {
    const first = await start(1)
    expect(first.cause).toBe('firstStart')
    await first.votes.close()
    expect((await start(1)).cause).toBe('firstStart')
  })

  it("votes at once with the operator's consent, also after a start without consent", async () => {
    expect((await start(1, { firstStart: true })).cause).toBeUndefined()
    await loseData(open[0] as VoteLog)
    const waiting = await start(1)
    expect(waiting.cause).toBe('firstStart')
    await waiting.votes.close()
    expect((await start(1, { firstStart: true })).cause).toBeUndefined()
  })

  it('abstains above genesis, because a copied or synced state does not contain the votes', async () => {
    expect((await start(9)).cause).toBe('amnesia')
  })

  it('abstains at any height if the key has voted before, even with consent to a first start', async () => {
    const { votes } = await start(1, { firstStart: true })
    await markedAppend(votes, marks())([TIMED_OUT])
    await loseData(votes)
    for (const height of [1, 9]) expect((await start(height, { firstStart: true })).cause).toBe('amnesia')
  })

  it('votes if the operator accepts the loss of votes', async () => {
    expect((await start(9, { acceptAmnesia: true })).cause).toBeUndefined()
  })
})

describe('a start with a vote log', () => {
  it('votes at once, even if the whole network restarts during its first start', async () => {
    const { votes } = await start(1, { firstStart: true })
    await markedAppend(votes, marks())([TIMED_OUT])
    await votes.close()
    const again = await start(1)
    expect(again.cause).toBeUndefined()
    expect(again.votes.records).toEqual([TIMED_OUT])
  })

  it('abstains if the log is corrupt before its end', async () => {
    const { votes } = await start(1, { firstStart: true })
    for (let view = 0; view < 3; view++) await votes.append([ENTERED])
    await votes.close()
    const path = join(root, 'data', VOTE_LOG_FILE)
    const bytes = await readFile(path)
    bytes[20] = (bytes[20] ?? 0) ^ 0xff
    await writeFile(path, bytes)
    expect((await start(1, { firstStart: true })).cause).toBe('amnesia')
  })
})

describe('a start with the vote log of another key', () => {
  /** A machine that followed and may vote by its own log; then the validator key comes there with its mark. */
  async function spare(given: Parameters<typeof start>[1]): Promise<void> {
    const { votes, cause } = await start(9, { acceptAmnesia: true, ...given })
    expect(cause).toBeUndefined()
    await votes.close()
    await marks().make()
  }

  it('abstains if the key voted elsewhere, as in a spare of a lost validator', async () => {
    await spare({ keys: OBSERVER })
    const first = await start(9, { firstStart: true })
    expect(first.cause).toBe('amnesia')
    await first.votes.close()
    expect((await start(9)).cause).toBe('amnesia')
  })

  it('abstains if a signer stored the votes of the key until now', async () => {
    await spare({ signer: {} })
    expect((await start(9)).cause).toBe('amnesia')
  })

  it('does not treat a pending first start as consent if the key voted elsewhere', async () => {
    const { votes } = await start(1, { keys: OBSERVER })
    await votes.close()
    await marks().make()
    expect((await start(1)).cause).toBe('amnesia')
  })

  it('votes with a key that never voted, so that a key rotation causes no pause', async () => {
    const { votes } = await start(9, { acceptAmnesia: true })
    await markedAppend(votes, marks())([TIMED_OUT])
    await votes.close()
    const both = { validator: VALIDATOR.validator, nextValidator: keyOf(3) }
    const marksOfBoth = votedMarks([join(root, 'next.json'), keyFile], CHAIN)
    const rotating = await start(9, { keys: both, marks: marksOfBoth })
    expect([rotating.cause, rotating.votes.records]).toEqual([undefined, [TIMED_OUT]])
    await marksOfBoth.make()
    await rotating.votes.close()
    const after = { keys: { validator: keyOf(3), nextValidator: undefined } }
    expect((await start(9, { ...after, marks: votedMarks([join(root, 'next.json')], CHAIN) })).cause).toBeUndefined()
  })

  it('votes as before if an earlier release did not record the keys of the log', async () => {
    await spare({})
    await rm(join(root, 'data', VOTE_KEYS_FILE))
    expect((await start(9)).cause).toBeUndefined()
  })
})

describe('the vote mark next to a key file', () => {
  it('is written just before the first vote of the key', async () => {
    const { votes } = await start(1, { firstStart: true })
    const append = markedAppend(votes, marks())
    await append([ENTERED])
    expect(await marks().has()).toBe(false)
    await append([TIMED_OUT])
    expect(await marks().has()).toBe(true)
    expect((await stat(markPathOf(keyFile))).mode & 0o777).toBe(0o600)
  })

  it('preserves the order of appends that wait for the mark', async () => {
    const { votes } = await start(1, { firstStart: true })
    const append = markedAppend(votes, marks())
    await Promise.all([append([TIMED_OUT]), append([ENTERED])])
    await votes.close()
    expect((await start(1)).votes.records.map(({ kind }) => kind)).toEqual(['timedOut', 'entered'])
  })

  it('applies to one chain: the same key can start on another chain', async () => {
    await marks().make()
    expect(await marks(OTHER_CHAIN).has()).toBe(false)
    await marks(OTHER_CHAIN).make()
    expect([await marks().has(), await marks(OTHER_CHAIN).has()]).toEqual([true, true])
  })

  it('stops the node before it signs if another process with the same key has written the mark since the start', async () => {
    const { votes } = await start(1, { firstStart: true })
    const append = markedAppend(votes, marks(), [false])
    await append([ENTERED])
    await marks().make([false])
    await expect(append([TIMED_OUT])).rejects.toThrow('another process')
    await votes.close()
    // Also where a supervisor starts it again: the mark stands then, and this log has no vote of the key.
    expect((await start(1, { firstStart: true })).cause).toBe('amnesia')
  })

  it('can be created by only one of two concurrent processes, and again by a node that owns it', async () => {
    const both = await Promise.allSettled([marks().make([false]), marks().make([false])])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await marks().make([true])
  })

  it('prevents the start of a validator if it cannot be created, with a hint', async () => {
    const absent = votedMarks([join(root, 'absent', 'validator.json')], CHAIN)
    await expect(absent.check()).rejects.toMatchObject({
      code: 'file_unwritable',
      hint: expect.stringContaining('folder of the key files writable'),
    })
  })
})

it('all logs are closed if one cannot be opened, so that a retry can open them', async () => {
  const closed = [VoteLog, StagingLog].map(({ prototype }) => vi.spyOn(prototype, 'close'))
  const failing = vi.spyOn(QueueLog, 'open').mockRejectedValue(new Error('the disk is full'))
  const given = { firstStart: true, acceptAmnesia: false, keys: VALIDATOR, marks: marks() }
  const options = { dataDir: join(root, 'data'), logger: pino({ enabled: false }), ...given }
  try {
    await expect(openLogs(options, 1)).rejects.toThrow('the disk is full')
    for (const close of closed) expect(close).toHaveBeenCalled()
  } finally {
    for (const spy of [...closed, failing]) spy.mockRestore()
  }
})
