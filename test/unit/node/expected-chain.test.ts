/** Comparison of the chain expected by a configuration with the last block of the node. */
import { describe, expect, it } from 'vitest'
import { parseNodeConfig } from '../../../src/node/config/index.js'
import { assertExpected } from '../../../src/node/expected-chain.js'
import type { Tip } from '../../../src/node/ledger/protocol.js'

const configOf = (text: string) => parseNodeConfig(`[genesis]\nhash = "${'ab'.repeat(32)}"\n${text}`, '/net/node.toml')
const mode = (name: string) => configOf(`[consensus]\nconsensus_mode = "${name}"\n`)
const lanes = (enabled: boolean) => configOf(`[lanes]\nenabled = ${enabled}\n`)
const last = (tip: Partial<Tip>) => ({
  height: 7,
  tip: { mode: 'permissioned', stagedMode: undefined, lanes: undefined, ...tip },
})

describe('a node whose configuration expects no particular mode', () => {
  it.each(['permissioned', 'npos'])('runs in mode %s, also while it syncs across a change of the mode', (name) => {
    expect(() => assertExpected(configOf(''), last({ mode: name }))).not.toThrow()
  })
})

describe('a node whose configuration expects a mode', () => {
  it('runs if that mode is active or pending', () => {
    expect(() => assertExpected(mode('permissioned'), last({}))).not.toThrow()
    expect(() => assertExpected(mode('npos'), last({ mode: 'npos' }))).not.toThrow()
    expect(() => assertExpected(mode('npos'), last({ stagedMode: 'npos' }))).not.toThrow()
  })

  it('stops in another mode, with the configuration source and a hint to omit the key', () => {
    expect(() => assertExpected(mode('npos'), last({}))).toThrow(
      expect.objectContaining({
        code: 'consensus_mode_mismatch',
        message: expect.stringContaining('height 7, the last of this node, is permissioned'),
        hint: expect.stringContaining('omit the key'),
      }),
    )
    const staged = last({ mode: 'npos', stagedMode: 'npos' })
    expect(() => assertExpected(mode('permissioned'), staged)).toThrow(/is npos and npos is pending/)
  })
})

describe('a node whose configuration expects lanes to be on or off', () => {
  it('stops if the chain differs from the configuration', () => {
    expect(() => assertExpected(lanes(false), last({}))).not.toThrow()
    expect(() => assertExpected(lanes(true), last({}))).toThrow(expect.objectContaining({ code: 'lanes_mismatch' }))
  })
})
