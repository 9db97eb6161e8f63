/** The page of instructions names what there is: every row of the core, every permission, every subject of events. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pascalCase } from '../../src/codec/index.js'
import { ABI_1 } from '../../src/features/abi.js'

const core = ABI_1.features.find(({ name }) => name === 'core')
if (core === undefined) throw new Error('ABI 1 has the core')
const page = readFileSync(new URL('../../docs/reference/instructions.md', import.meta.url), 'utf8')

describe('docs/reference/instructions.md', () => {
  it('has a row for every core instruction, with its id and label', () => {
    for (const { id, kind, label } of core.instructions) {
      expect(page).toContain(`| ${id} | \`${pascalCase(kind)}\` | \`${label}\` |`)
    }
  })

  it('names every permission and every subject of events of the core', () => {
    const metadata = /^CanModify\w+Metadata$/
    for (const { name } of core.permissions.filter((one) => !metadata.test(one.name))) expect(page).toContain(name)
    const subjects = core.events.flatMap((def) => def.subject ?? [])
    for (const subject of subjects) expect(page).toContain(`\`${subject}\``)
  })

  it('names every error that only core instructions return', () => {
    const codes = [
      'trigger_depth',
      'too_many_triggers',
      'bad_policy',
      'not_a_member',
      'proposal_expired',
      'fee_unpayable',
    ]
    for (const code of codes) expect(page).toContain(`\`${code}\``)
  })
})
