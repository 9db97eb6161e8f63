// Checks the block store against a plain array under random histories of appends, reads, restarts, crashes and catalogues.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ZERO_HASH } from '../../../src/model/index.js'
import { BlockStore } from '../../../src/storage/index.js'
import { copyOf, sampleBlock, seeded, temporary } from '../../unit/storage/support.js'

type Step = 'append' | 'read' | 'restart' | 'crash' | 'lanes'

test('the block store matches a naive model over random histories', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer(),
      fc.array(
        fc.oneof(
          { weight: 6, arbitrary: fc.constant<Step>('append') },
          { weight: 3, arbitrary: fc.constant<Step>('read') },
          { weight: 1, arbitrary: fc.constant<Step>('restart') },
          { weight: 1, arbitrary: fc.constant<Step>('crash') },
          { weight: 1, arbitrary: fc.constant<Step>('lanes') },
        ),
        { minLength: 5, maxLength: 40 },
      ),
      async (seed, steps) => {
        const random = seeded(seed)
        let folder = await temporary()
        let lanes = 2
        let crashed: { copy: string; kept: number } | undefined
        let crashNext = false
        const catalogue = () => Array.from({ length: lanes }, (_, id) => ({ id, alias: `lane ${random(3)} of ${id}` }))
        const onStep = async (step: string, height: number) => {
          if (!crashNext || random(2) === 0) return
          crashNext = false
          crashed = { copy: await copyOf(folder), kept: step === 'payload' ? height - 1 : height }
        }
        const start = () => BlockStore.open(folder, { lanes: catalogue(), onStep, segmentMaxBytes: 300 })
        let store = await start()
        const blocks: ReturnType<typeof sampleBlock>[] = []
        for (const step of [...steps, 'restart', 'read'] as Step[]) {
          if (step === 'append' || step === 'crash') {
            crashNext = step === 'crash'
            const last = blocks.at(-1)
            const parent = { height: blocks.length, hash: last?.hash ?? ZERO_HASH }
            const block = sampleBlock(random, parent, lanes)
            await store.append(block)
            blocks.push(block)
            if (crashed !== undefined) {
              await store.close()
              folder = crashed.copy
              blocks.length = crashed.kept
              crashed = undefined
              store = await start()
            }
          } else if (step === 'restart') {
            await store.close()
            store = await start()
          } else if (step === 'lanes') {
            lanes = 1 + random(4)
            await store.setLanes(catalogue())
          } else if (blocks.length > 0) {
            const block = blocks[random(blocks.length)] as (typeof blocks)[number]
            const read = await store.read(block.header.height)
            expect(Buffer.from(read?.body ?? []).equals(Buffer.from(block.body))).toBe(true)
            expect(store.heightOf(block.hash)).toBe(block.header.height)
          }
          expect(store.height).toBe(blocks.length)
        }
        for (const block of blocks) {
          const read = await store.read(block.header.height)
          expect(read).toEqual({ header: block.header, certificate: block.certificate, body: block.body })
          const outcome = await store.readOutcome(block.header.height)
          expect(Buffer.from(outcome ?? []).equals(Buffer.from(block.outcome))).toBe(true)
        }
        await store.close()
      },
    ),
    { numRuns: 40 },
  )
})
