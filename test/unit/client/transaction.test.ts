/** Transactions as the client makes them are what the ledger's rules accept. */
import { describe, expect, it } from 'vitest'
import { buildTransaction, DEFAULT_TTL_MS, signTransaction } from '../../../src/client/index.js'
import { verifyEd25519, verifySecp256k1 } from '../../../src/crypto/index.js'
import { type SignatureItem, signatureItems } from '../../../src/executor/admission.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { instruction } from '../../../src/model/definition.js'
import { signedTransaction, transactionId } from '../../../src/model/index.js'
import { accountOf, alice, bob, CHAIN, CODEC } from '../gateway/support.js'

const input = (pair: typeof alice) => ({
  chain: CHAIN,
  authority: accountOf(pair),
  instructions: [instruction(domains.registerDomain, { id: 'd', dataspace: undefined, metadata: new Map() })],
  codec: CODEC,
})

describe('a signed transaction', () => {
  it.each([
    ['ed25519', alice, verifyEd25519],
    ['secp256k1', bob, verifySecp256k1],
  ] as const)('carries an %s signature over its id', async (curve, pair, verify) => {
    const draft = buildTransaction(input(pair))
    const { id, bytes } = await signTransaction(draft, pair)
    const decoded = signedTransaction.decode(bytes, CODEC)
    if (!decoded.ok) throw new Error(decoded.fault.message)
    expect(transactionId(decoded.value.payload.bytes).equals(id)).toBe(true)
    expect(decoded.value.payload.value).toEqual(draft.payload)
    const [item] = signatureItems(decoded.value, id) as [SignatureItem]
    expect(item.algorithm).toBe(curve)
    expect(verify(item.publicKey, item.message, item.signature)).toBe(true)
  })

  it('has its own nonce, a limited time to live, and the same bytes for the same input', () => {
    const first = buildTransaction(input(alice))
    const second = buildTransaction(input(alice))
    expect(first.id.equals(second.id)).toBe(false)
    expect(first.payload.ttlMs).toBe(DEFAULT_TTL_MS)
    const fixed = { ...input(alice), nonce: 1, nowMs: 5, ttlMs: 10, dataspace: 3n }
    expect(buildTransaction(fixed).payloadBytes.equals(buildTransaction(fixed).payloadBytes)).toBe(true)
    expect(() => buildTransaction({ ...input(alice), instructions: [{ kind: 'nope', value: {} }] })).toThrow('nope')
  })
})
