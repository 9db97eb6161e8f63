/** Figures of pages that follow from the code. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ABIS } from '../../src/features/abi.js'
import { FAIL_POINTS } from '../../src/storage/fail-point.js'
import { MUTANTS } from '../simulation/mutants.js'

it('the README has the current numbers of consensus mutants and fail points', () => {
  const page = readFileSync('README.md', 'utf8')
  expect(page).toContain(` ${MUTANTS.length} named mutants`)
  expect(page).toContain(` ${Object.keys(FAIL_POINTS).length} fail points`)
})

it('the upgrade page shows the ABI hashes, and proposes the newest ABI by its hash', () => {
  const page = readFileSync('docs/operate/upgrades.md', 'utf8')
  for (const { number, hash } of ABIS.values()) expect(page).toContain(`ABI ${number}  ${hash.toString('hex')}\n`)
  for (const [, abi, digits = ''] of page.matchAll(/--abi (\d) --abi-hash ([0-9a-f]+)…/g)) {
    expect(ABIS.get(Number(abi))?.hash.toString('hex').startsWith(digits)).toBe(true)
  }
})
