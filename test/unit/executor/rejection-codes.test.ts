/**
 * Every code with which instructions are refused has a number in all ABIs that have them: an outcome without a number
 * could not be hashed, and executing a block with it would throw outside of its entry.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Abi } from '../../../src/executor/index.js'
import { ABI_1, ABIS } from '../../../src/features/abi.js'

/** Codes of invalid transactions are in no block and need no number. */
const VALIDITY: ReadonlySet<string> = new Set([
  'chain_mismatch',
  'signature_insufficient',
  'signature_invalid',
  'signature_missing',
  'signature_unknown_signer',
  'transaction_expired',
  'transaction_in_future',
  'transaction_limit',
  'ttl_too_long',
])
const VALIDITY_FILES: readonly string[] = ['src/executor/admission.ts', 'src/executor/block.ts']
/** A code where a rejection is made; those that are chosen by a table stand in one as `code: '...'`. */
const CODE = /(?:reject\(\s*|\bcode: )'([a-z0-9_]+)'/g

/** Codes that came with ABI 2, in code that features of ABI 1 have or share: verifying keys and proofs, UETRs that are used once, lots. */
const SINCE_2 = /^((vk|proof|lot)_|(iso_uetr|lots_only|class_paused|not_eligible|holder_limit)$)/

/** The first ABI that can refuse an instruction by a code in a file. */
function abiOf(file: string, code: string): Abi | undefined {
  if (SINCE_2.test(code)) return ABIS.get(2)
  const [, feature] = /^src\/features\/([^/]+)\//.exec(file) ?? []
  const known = [...ABIS.values()].find(({ features }) => features.some(({ name }) => name === feature))
  return known ?? ABI_1
}

/** Code that blocks run. */
const LEDGER = /^src\/(executor|ledger|lanes|features\/[^/]+\/ledger)\/.*\.ts$/

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => join('src', path))
  .filter((path) => LEDGER.test(path))

it('every rejection has a number in the first ABI that can return it', () => {
  const codes = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(CODE)].map(([, code = '']) => ({ file, code })),
  )
  // Less, and the pattern has lost sight of them.
  expect(codes.length).toBeGreaterThan(300)
  const unnumbered = codes.filter(
    ({ file, code }) =>
      !(VALIDITY.has(code) && VALIDITY_FILES.includes(file)) &&
      abiOf(file, code)?.errorNumbers.has(code as never) !== true,
  )
  expect(unnumbered.map(({ file, code }) => `${file}: ${code}`)).toEqual([])
})
