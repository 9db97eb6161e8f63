/** A proof that is too far from what is proven: blocks on the way are proven first, and asked for no more than needed. */
import { describe, expect, it } from 'vitest'
import { Verifier } from '../../../src/client/proven.js'
import { LedgerError } from '../../../src/model/index.js'

const absent = (): never => {
  throw new LedgerError('not_found', 'too far')
}

describe('a request for a proof', () => {
  it('starts at genesis while nothing is proven', async () => {
    const asked: (number | undefined)[] = []
    const { proof, from } = await new Verifier(Buffer.alloc(32)).ask(
      9,
      async (below) => {
        asked.push(below)
        return 'proof'
      },
      async () => absent(),
    )
    expect([proof, from, asked]).toEqual(['proof', undefined, [undefined]])
  })

  it('gives up after one request per halving if no midpoint can be proven', async () => {
    const heights: number[] = []
    const asking = new Verifier(Buffer.alloc(32)).ask(
      1_000_000,
      async () => absent(),
      async (height) => {
        heights.push(height)
        return absent()
      },
    )
    await expect(asking).rejects.toMatchObject({ code: 'not_found' })
    expect(heights.length).toBeLessThan(25)
  })

  it('does not treat another failure as a proof of excessive length', async () => {
    const failing = async (): Promise<never> => {
      throw new LedgerError('not_permitted', 'nobody answers')
    }
    await expect(new Verifier(Buffer.alloc(32)).ask(9, failing, failing)).rejects.toMatchObject({
      code: 'not_permitted',
    })
  })
})
