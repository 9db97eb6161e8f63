/** Causes for which a node may end: named places in the code, none of which depends on outside input. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LedgerError } from '../../../src/model/index.js'
import { endingOf, FATAL_PLACES, FatalError } from '../../../src/node/process/fatal.js'

const SOURCES = 'src'
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  )

/** Every place of the sources that gives a fatal error its name. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  'src/node/attached.ts': ['signer'],
  'src/node/core.ts': ['ledger', 'queue_log'],
  'src/node/consensus/driver.ts': ['consensus', 'vote_log', 'staging_log', 'crypto', 'ledger'],
  'src/node/consensus/durable.ts': ['vote_log', 'staging_log'],
  'src/node/node.ts': ['ledger', 'audit_log'],
  'src/node/compose/ledger-side.ts': ['ledger', 'queue_log'],
}
/** Those that make it; the core and the logs are handed the maker of the parts. */
const MAKERS = [
  'src/node/attached.ts',
  'src/node/compose/common.ts',
  'src/node/consensus/driver.ts',
  'src/node/node.ts',
]

describe('a fatal error', () => {
  it('is created only at the listed places in the sources', () => {
    const made = filesBelow(SOURCES).filter((file) => readFileSync(file, 'utf8').includes('new FatalError('))
    expect(made.sort()).toEqual(MAKERS)
    for (const [file, places] of Object.entries(PLACES)) {
      const text = readFileSync(file, 'utf8')
      for (const place of Object.keys(FATAL_PLACES)) {
        const isNamed =
          new RegExp(`(fatal|fail|answer|FatalError)\\(\\s*'${place}'`).test(text) ||
          (file.endsWith('driver.ts') && place === 'ledger')
        expect(isNamed, `${file}: ${place}`).toBe(places.includes(place))
      }
    }
  })

  it('converts any thrown value to a description of the failure', () => {
    expect(new FatalError('vote_log', new Error('ENOSPC')).message).toBe('the vote log failed: ENOSPC')
    expect(new FatalError('ledger', { code: 'x', message: 'no record' }).message).toContain('no record')
    expect(new FatalError('crypto', 'gone').message).toBe('signing or the crypto threads failed: gone')
    expect(new FatalError('consensus', { at: [1] }).message).toContain('at')
    expect(new FatalError('consensus', undefined).message).toContain('undefined')
  })

  it('keeps its cause and the place where it occurred', () => {
    const cause = new TypeError('x')
    expect(new FatalError('ledger', cause)).toMatchObject({ cause, place: 'ledger' })
  })
})

describe('the exit of a node', () => {
  const system = (code: string, message: string): Error => Object.assign(new Error(message), { code })

  it.each([
    ['the vote log', new FatalError('vote_log', system('ENOSPC', 'ENOSPC: no space left on device, write'))],
    // Only the message of an error crosses a thread.
    ['the ledger thread', new FatalError('ledger', new Error('ENOSPC: no space left on device, write'))],
    ['the database', new FatalError('ledger', new Error('IO error: 000012.log: No space left on device'))],
    [
      'a disk error as the cause of another error',
      new FatalError('ledger', new Error('x', { cause: system('EIO', 'EIO: i/o error') })),
    ],
    ['a file that may not grow', new FatalError('vote_log', system('EFBIG', 'EFBIG: file too large, write'))],
  ])('is not reported as a bug if a disk write failed in %s, so that a supervisor restarts it', (_where, failure) => {
    expect(endingOf(failure)).toMatchObject({ code: 'storage_failed', exit: 1 })
  })

  it('has the exit code of a catalogued error, and is otherwise reported as a bug', () => {
    const known = new LedgerError('abi_missing', 'x')
    expect(endingOf(new FatalError('ledger', known))).toBe(known)
    expect(endingOf(new FatalError('consensus', new TypeError('x')))).toMatchObject({ code: 'internal', exit: 7 })
  })
})
