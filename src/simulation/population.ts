/** Owns the members of a simulated network: its nodes by number, with their keys, disks and signers. */
import type { ValidatorKey } from '../model/index.js'
import { behaviourOf } from './byzantine/index.js'
import { SimulatedNode } from './node.js'
import { randomOf } from './prng.js'
import type { Surroundings } from './role.js'
import type { Scenario } from './scenario.js'
import { SimulatedSigner } from './signer.js'

/** Create the nodes of a scenario: correct nodes, faulty nodes, twins, two processes of one validator. */
export function populate(scenario: Scenario, world: Surroundings<SimulatedNode>): SimulatedNode[] {
  const { seed, faulty, blockCostsMs, slowDiskRate, deadNewcomer, oldProcess, sharedSigner } = scenario
  const { universe, keys: keysOf } = world.rules
  const nodes: SimulatedNode[] = []
  const disks = randomOf(seed, 'disks')
  const add = (
    peer: ValidatorKey,
    kind: SimulatedNode['role']['kind'],
    behaviour: SimulatedNode['role']['behaviour'],
    keys: readonly ValidatorKey[] = keysOf.get(peer) ?? [peer],
    signer?: SimulatedSigner,
  ): void => {
    const id = nodes.length
    const blockCostMs = blockCostsMs[id % blockCostsMs.length] ?? 0
    const role = { id, peer, kind, behaviour, blockCostMs, slowDisk: disks.chance(slowDiskRate), keys, signer }
    nodes.push(new SimulatedNode(role, world, randomOf(seed, `node:${id}`)))
  }
  const isFaulty = (index: number): boolean => faulty.some(({ member }) => member === index)
  const firstCorrect = universe.findIndex((_, index) => !isFaulty(index))
  const split = oldProcess ? firstCorrect : -1
  const shared = sharedSigner ? firstCorrect : -1
  for (const [index, peer] of universe.entries()) {
    if (deadNewcomer && index === universe.length - 1) continue
    const fault = faulty.find((one) => one.member === index)
    const own = keysOf.get(peer) ?? [peer]
    if (index === split) {
      for (const part of [0, 1])
        add(
          peer,
          'honest',
          undefined,
          own.filter((_, at) => at % 2 === part),
        )
    } else if (index === shared) {
      const signer = new SimulatedSigner(world, randomOf(seed, 'signer'))
      for (let node = 0; node < 2; node++) add(peer, 'honest', undefined, own, signer)
    } else if (fault === undefined) add(peer, 'honest', undefined)
    else if (fault.behaviour !== 'twins') add(peer, 'faulty', behaviourOf(fault.behaviour))
    else for (let twin = 0; twin < 2; twin++) add(peer, 'twin', undefined)
  }
  return nodes
}
