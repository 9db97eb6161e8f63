/** Late results in a closed core: those of work under way. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlockStore } from '../../../src/storage/index.js'
import { signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'
import { pause } from '../../support/ports.js'

interface Gate {
  readonly reached: Promise<void>
  open(): void
}

/** Holds the next block of a store until the gate is opened. */
function held(store: BlockStore): Gate {
  const append = store.append.bind(store)
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const reached = new Promise<void>((resolve) => {
    store.append = async (block) => {
      store.append = append
      resolve()
      await opened
      return append(block)
    }
  })
  return { reached, open }
}

let cluster: Cluster
let alice: TestAccount
let bob: TestAccount
beforeAll(async () => {
  ;[alice, bob] = await Promise.all([testAccount('alice'), testAccount('bob')])
  cluster = await Cluster.start(4, [alice, bob])
})
afterAll(() => cluster.close())

describe('a core that is closing', () => {
  it('does not report blocks that are committed after it was closed', async () => {
    const member = cluster.list[1] as Member
    const reported: number[] = []
    member.core.services.onCommit((height) => reported.push(height))
    const gate = held(member.ledger['store'])
    const { height } = member.core
    const { services } = (cluster.list[0] as Member).core
    await services.submit(signedBy(alice, [transferOf(alice.id, bob.id, 1n)], Date.now()).bytes)
    await gate.reached
    const closed = member.core.close()
    gate.open()
    await closed
    await cluster.until('the block', async () => (await member.ledger.tip()).height > height)
    await pause(50)
    // So late fails what asked the ledger or the threads before: the node is about to play another role, or to end.
    member.core['common'].fatal('ledger')(new Error('the crypto pool is closed'))
    expect([reported, cluster.failures]).toEqual([[], []])
  })
})
