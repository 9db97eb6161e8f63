/** Values of contracts in the browser: the same as the node reads, for every type. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputBytes } from '../../../src/features/contracts/schema/value-types.js'
import { formatAddress, keylessAccount } from '../../../src/model/index.js'
import { addressText, valuesOf } from '../../../src/web/contract-values.js'

const ADDRESS = formatAddress(keylessAccount('contract', Buffer.alloc(32, 9)))
const PARAMS = [
  { name: 'to', type: 'account' },
  { name: 'amount', type: 'numeric' },
  { name: 'on', type: 'bool' },
  { name: 'count', type: 'u32' },
  { name: 'large', type: 'u64' },
  { name: 'debt', type: 'i64' },
  { name: 'note', type: 'option<string>' },
  { name: 'parts', type: 'list<{asset: asset, data: bytes}>' },
]
const VALUES = {
  to: ADDRESS,
  amount: '-12.50',
  on: true,
  count: 7,
  large: '18446744073709551615',
  debt: '-5',
  note: null,
  parts: [{ asset: 'eur#bank', data: '00ff' }],
}

describe('the values of a contract call', () => {
  it('are decoded by their names and types', () => {
    const base64 = inputBytes(PARAMS, VALUES, 'cw').toString('base64')
    expect(valuesOf(PARAMS, base64, 'cw')).toEqual({ ...VALUES, amount: '-12.5', count: '7' })
  })

  it('are not shown if the bytes are too short, too long or do not match the types', () => {
    const bytes = inputBytes(PARAMS, VALUES, 'cw')
    for (const other of [bytes.subarray(1), bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.of(0)])]) {
      expect(valuesOf(PARAMS, other.toString('base64'), 'cw')).toBeUndefined()
    }
    const endless = [{ name: 'list', type: 'list<u8>' }]
    expect(valuesOf(endless, Buffer.from('ffffffff', 'hex').toString('base64'), 'cw')).toBeUndefined()
    expect(valuesOf(endless, '*', 'cw')).toBeUndefined()
  })

  it('are rejected if an argument is missing, with its name', () => {
    const { amount: _, ...others } = VALUES
    expect(() => inputBytes(PARAMS, others, 'cw')).toThrow('arguments.amount: missing, expected numeric')
    const { note: __, ...required } = VALUES
    expect(inputBytes(PARAMS, required, 'cw')).toEqual(inputBytes(PARAMS, VALUES, 'cw'))
  })

  it('contain the same addresses as the ledger model', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.constantFrom('cw', 'bank', 'x'),
        (hash, prefix) => {
          const id = keylessAccount('vault', hash)
          expect(addressText(Buffer.from(id, 'latin1'), prefix)).toBe(formatAddress(id, prefix))
        },
      ),
    )
  })

  it('contain the same decimals as the codec', () => {
    const one = [{ name: 'amount', type: 'numeric' }]
    for (const amount of ['0', '0.001', '-0.05', '1250', '-129', '128', '99999999999999999999.5']) {
      expect(valuesOf(one, inputBytes(one, { amount }, 'cw').toString('base64'), 'cw')).toEqual({ amount })
    }
  })
})
