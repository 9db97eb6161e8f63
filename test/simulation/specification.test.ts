/** Wrong variants of the code beside the traces of the specification: those about one height are found, the others are listed. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { healAlong, readTrace } from '../../src/simulation/specification/index.js'
import { slice } from '../suites.mjs'
import { MUTANTS } from './mutants.js'
import { variantOf } from './variants.js'

const VECTORS = new URL('../vectors/height-traces.json.gz', import.meta.url)
const documents: readonly object[] = JSON.parse(gunzipSync(readFileSync(VECTORS)).toString())
const traces = documents.map((document) => readTrace(JSON.stringify(document)))

/** Mutants that change what a member does within a height with small payloads. */
const FOUND = [
  'fresh block despite a prepare certificate',
  'voters accept a fresh block that the certificate shown forbids',
  'timeout certificate without its prepare certificate',
  'unchecked maximum in a timeout certificate',
  'timeouts name no certificate',
  'vote after the own timeout',
  'votes leave before they are durable',
  'repeats do not wait for the disk',
  'block not durable with the vote',
  'lock forgotten over a restart',
  'prepare vote forgotten over a restart',
  'timeout forgotten over a restart',
  'quorum of f + 1',
  'commit vote on the certificate of an earlier view',
  'neither amplification nor a durable entry certificate',
]

describe('traces of the specification', () => {
  it.each(FOUND.slice(0, slice(3, FOUND.length)))('detect the mutant "%s"', async (name) => {
    const mutant = MUTANTS.find((one) => one.name === name)
    expect(mutant).toBeDefined()
    const { follow } = await variantOf(mutant?.patches ?? [])
    expect(traces.some((trace) => follow(trace) !== undefined)).toBe(true)
  })
})

/** A state after each of so many steps of the committed traces is healed: 2,000 and more in the whole suite. */
const EVERY = slice(20, 1)
const HEALED_MIN = slice(100, 2_000)

describe('a network at any state of the specification traces', () => {
  it('commits within f + 2 views once it heals', () => {
    const results = traces.map((trace) => healAlong(trace, EVERY))
    expect(results.flatMap(({ late }) => late ?? [])).toEqual([])
    expect(results.reduce((sum, { states }) => sum + states, 0)).toBeGreaterThanOrEqual(HEALED_MIN)
  })
})
