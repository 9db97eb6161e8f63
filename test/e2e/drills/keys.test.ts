/** Drills of keys: shares make a lost one again, stolen ones are refused everywhere, a signer comes back with and without its record. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Drill } from './drill.js'

let drill: Drill
beforeAll(async () => {
  drill = await Drill.start()
})
afterAll(() => drill.end())

describe('key ceremony', () => {
  it('is recovered by two of three holders, and the validator votes again', async () => {
    const ceremony = await drill.follow('key-ceremony', 'The ceremony')
    const key = /^public key +(ea0130\S+)$/m.exec(ceremony)?.[1] ?? 'none'
    expect(ceremony).toContain('shares      3, threshold 2')
    expect(ceremony).toContain('1, 2 of 3, threshold 2')
    const fault = await drill.follow('key-ceremony', 'The fault')
    expect(fault).toMatch(/val-3 ended with 3: .*keys\/validator.json: key file not found.*\[key_file_missing\]/)
    await drill.pay()
    const steps = await drill.follow('key-ceremony', 'Steps')
    expect(steps).toContain('share 1 of 3: 1 more required')
    expect(steps).toContain(key)
    for (const passphrase of ['of anna', 'of clara']) expect(fault + ceremony + steps).not.toContain(passphrase)
    await drill.follow('key-ceremony', 'It is over when')
    await drill.agreed([0, 1, 2, 3])
    expect(await drill.evidence()).toEqual([])
  })
})

describe('stolen key', () => {
  it('a withdrawn operator key is refused by every node, and the rights and balance of an account are removed', async () => {
    await drill.follow('stolen-key', 'The fault')
    await drill.follow('stolen-key', 'Steps for an operator key', 'Steps for an account key')
    const end = await drill.follow('stolen-key', 'It is over when')
    expect(end.match(/\[unauthorised\]|\[forbidden\]/g)).toHaveLength(4)
    expect(end).toContain('[asset_frozen]')
    expect(end).toContain('[not_permitted]')
    await drill.agreed([0, 1, 2, 3])
  })
})

describe('lost signer', () => {
  it('prevents its node from voting until the signer returns with its record', async () => {
    // The balance of alice is frozen by now.
    const thaw =
      'causeway asset control alice@bank --asset eur#bank --no-freeze --key-file .causeway/localnet/dev-only-keys/admin.json'
    expect((await drill.shell(thaw)).code).toBe(0)
    await drill.follow('lost-signer', 'Before')
    const fault = await drill.follow('lost-signer', 'The fault')
    expect(fault).toContain('the signer is not connected: this node follows')
    await drill.follow('lost-signer', 'Steps when the record is there', 'It is over when')
    await drill.agreed([0, 1, 2, 3])
    expect(await drill.evidence()).toEqual([])
  })

  it('does not start without its record unless the operator consents, and then signs only above earlier votes', async () => {
    const steps = await drill.follow('lost-signer', 'Steps when the record is lost')
    expect(steps).toContain('[signer_record_missing]')
    await drill.follow('lost-signer', 'It is over when')
    await drill.agreed([0, 1, 2, 3])
    expect(await drill.evidence()).toEqual([])
  })
})
