/** Owns the vectors of conference proofs: statements, proofs and bases as they were first made, so that none changes unseen. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Claim, statementBytes, verifyClaim } from '../../../src/crypto/circuits/conference/index.js'
import { bases } from '../../../src/crypto/sigma/sum.js'
import { leave, listedJoin, openJoin, signal, usage } from '../../support/conference-proofs.js'

const claims: Record<string, () => Claim> = {
  openJoin: () => openJoin('ann'),
  rejoin: () => openJoin('ann', 1),
  leave: () => leave('ann'),
  listedJoin: () => listedJoin(3, 5),
  usage: () => usage(),
  signal: () => signal('ann'),
}
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const made = {
  bases: Object.entries(bases()).flatMap(([name, points]) =>
    [points].flat().map((point, at) => `${name} ${at} ${hex(point.toBytes())}`),
  ),
  claims: Object.fromEntries(
    Object.entries(claims).map(([name, claim]) => {
      const { statement, proof, keys = [] } = claim()
      return [name, { statement: hex(statementBytes(statement)), proof: hex(proof), keys: keys.map(hex) }]
    }),
  ),
}
const kept = JSON.parse(readFileSync(new URL('../../vectors/conference-proofs.json', import.meta.url), 'utf8'))

it('bases, statements and proofs match the vectors', () => {
  expect(made).toEqual(kept)
})

it.each(Object.keys(claims))('the proof %s of the vectors verifies', (name) => {
  const claim = claims[name]?.()
  if (claim === undefined) throw new Error('no such claim')
  expect(verifyClaim({ ...claim, proof: Buffer.from(kept.claims[name].proof, 'hex') })).toBe('proven')
})
