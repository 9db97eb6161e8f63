/** Modules with random byte changes: refused as faults, or also accepted by V8, within a short time. */
import { describe, expect, it } from 'vitest'
import { checkModule, ModuleFault } from '../../../src/vm/index.js'
import { assemble } from '../../support/vm/assembler.js'
import { wasm } from '../../support/vm/engines.js'
import { Random, randomModule } from '../../support/vm/generator.js'

const COUNT = Number(process.env['CAUSEWAY_FUZZ'] ?? 4_000)

/** A module with some of its bytes changed, left out or doubled. */
function mutated(seed: number): Uint8Array {
  const random = new Random(seed)
  const bytes = [...assemble(randomModule(seed % 500))]
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    const at = 8 + random.below(bytes.length - 8)
    const kind = random.below(4)
    if (kind === 0) bytes.splice(at, 1)
    else if (kind === 1) bytes.splice(at, 0, bytes[at] as number)
    else if (kind === 2) bytes[at] = random.below(256)
    else (bytes[at] as number) ^= 1 << random.below(8)
  }
  return Uint8Array.from(bytes)
}

describe('malicious modules', () => {
  it('are either rejected with the position of the fault, or also valid in V8', () => {
    let accepted = 0
    for (let seed = 1; seed <= COUNT; seed += 1) {
      const bytes = mutated(seed)
      try {
        checkModule(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(ModuleFault)
        expect((error as ModuleFault).offset).toBeLessThanOrEqual(bytes.length)
        continue
      }
      accepted += 1
      expect([seed, wasm.validate(bytes)]).toEqual([seed, true])
    }
    expect(accepted).toBeGreaterThan(COUNT / 50)
  })

  it('are rejected if they are random bytes, or truncated at any length', () => {
    const random = new Random(7)
    for (let round = 0; round < 500; round += 1) {
      const noise = Uint8Array.from({ length: random.below(200) }, () => random.below(256))
      noise.set([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0].slice(0, noise.length))
      if (noise.length > 8) expect(() => checkModule(noise)).toThrow(ModuleFault)
    }
    const whole = assemble(randomModule(3))
    for (let length = 0; length < whole.length; length += 1) {
      const cut = whole.subarray(0, length)
      // A module that ends after an optional section is valid.
      if (!wasm.validate(cut)) expect(() => checkModule(cut)).toThrow(ModuleFault)
    }
  })
})
