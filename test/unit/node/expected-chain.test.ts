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

describe('a node without expectations about the chain', () => {
  it.each(['permissioned', 'npos'])('runs if the mode is %s, also while it catches up over a change of it', (name) => {
    expect(() => assertExpected(configOf(''), last({ mode: name }))).not.toThrow()
  })
})

describe('a node that expects a mode', () => {
  it('runs in that mode, and if it is pending', () => {
    expect(() => assertExpected(mode('permissioned'), last({}))).not.toThrow()
    expect(() => assertExpected(mode('npos'), last({ mode: 'npos' }))).not.toThrow()
    expect(() => assertExpected(mode('npos'), last({ stagedMode: 'npos' }))).not.toThrow()
  })

  it('stops in another one, with the source and a hint to omit the key', () => {
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

describe('a node that expects lanes, or no lanes', () => {
  it('stops if the chain differs', () => {
    expect(() => assertExpected(lanes(false), last({}))).not.toThrow()
    expect(() => assertExpected(lanes(true), last({}))).toThrow(expect.objectContaining({ code: 'lanes_mismatch' }))
  })
})
