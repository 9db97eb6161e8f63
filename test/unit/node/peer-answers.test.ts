/**
 * Reads of a node for requests of peers: a bounded number for all observers together, and those for members besides.
 */
import { expect, it } from 'vitest'
import { PeerAnswers } from '../../../src/node/consensus/peer-answers.js'

it('block requests are served to at most four observers at a time, and to validators always', async () => {
  const reads: number[] = []
  let release = (): void => {}
  const isReleased = new Promise<void>((resolve) => (release = resolve))
  const sent: string[] = []
  const modules = {
    ledger: {
      blocks: async ({ from }: { readonly from: number }) => {
        reads.push(from)
        await isReleased
        return { blocks: [] }
      },
    },
    work: {},
    transport: { send: (to: string) => sent.push(to) > 0, broadcast: () => 0 },
    onPeerFault: () => {},
    isMember: (peer: string) => peer.startsWith('member'),
    allowsReply: () => true,
    savedReply: () => {},
  }
  const tip = { height: 1, schedule: { rotated: new Map() }, nextSchedule: { rotated: new Map() } }
  const answers = new PeerAnswers(
    modules as never,
    () => tip as never,
    (error) => {
      throw error
    },
  )
  for (let at = 0; at < 200; at += 1)
    answers.serveBlocks({ type: 'serveBlocks', to: `observer ${at}`, from: at, count: 1 })
  expect(reads).toEqual([0, 1, 2, 3])
  for (const to of ['member 1', 'member 2']) answers.serveBlocks({ type: 'serveBlocks', to, from: 1_000, count: 1 })
  expect(reads.length).toBe(6)
  release()
  await expect.poll(() => sent.length).toBe(6)
  answers.serveBlocks({ type: 'serveBlocks', to: 'observer 9', from: 9, count: 1 })
  expect(reads.length).toBe(7)
})
