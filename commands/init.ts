import { mkdir } from 'node:fs/promises'
import { Flags } from '@oclif/core'
import { BaseCommand } from '../src/cli/command/base-command.js'
import { PASSPHRASE_ENV, readKey } from '../src/cli/settings/key.js'
import type { PeerPlan } from '../src/cli/setup/init-plan.js'
import { peerFiles } from '../src/cli/setup/peer-files.js'
import { INTERRUPTED, interruptible } from '../src/cli/terminal/interrupt.js'
import { pairs } from '../src/cli/terminal/output.js'
import { shellWord } from '../src/cli/text/shell.js'
import type { PeerEntry } from '../src/node/genesis/index.js'

/** Stands in the configuration until the genesis is known; a node does not start with it. */
const NO_GENESIS = '0'.repeat(64)

export default class Init extends BaseCommand {
  static override description =
    `Create the folder of one peer on the host where it will run: keys, configuration, peer card.
The private keys are created here and stay here. The card (card.json) contains public parts only: send it to the coordinator of the
topology, who adds it with \`causeway topology add card.json\`. In a terminal, without --name or --address, it asks for
missing values, and for confirmation before it writes anything. A passphrase encrypts the keys: it is prompted
for, or read from ${PASSPHRASE_ENV}, which \`node start\` reads too.`
  static override examples = [
    '<%= config.bin %> init',
    '<%= config.bin %> init --dir node --name bank-a --address bank-a.example:7400',
    '<%= config.bin %> init --dir watcher --name auditor --address auditor.example:7400 --observer --no-input',
  ]
  static override flags = {
    dir: Flags.string({ description: 'folder of the peer (default: the current one; when prompted: its name)' }),
    name: Flags.string({ description: 'display name of the peer' }),
    address: Flags.string({ description: 'host:port at which other peers reach it; may be repeated', multiple: true }),
    listen: Flags.string({ description: 'host:port on which it accepts links (default: all interfaces)' }),
    'gateway-listen': Flags.string({ description: 'host:port of its gateway (default 127.0.0.1:8080)' }),
    observer: Flags.boolean({ description: 'follow without voting' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Init)
    const { parseHostPort } = await import('../src/node/config/index.js')
    const { planPeer } = await import('../src/cli/setup/init-plan.js')
    const plan = await planPeer(flags, parseHostPort)
    if (plan === undefined) return this.leave()
    const entry = await interruptible((signal) => makePeer(plan, signal))
    if (entry === undefined) return this.leave()
    const { card, config } = peerFiles(plan.folder)
    this.out.result(
      { folder: plan.folder, card, config, peer: entry },
      pairs([
        ['peer', `${plan.name} (${plan.role})`],
        ['card', card],
        ['configuration', config],
        ['validator key', entry.key],
        ['network key', entry.network_key],
      ]),
    )
    this.out.hint(
      `Next: send ${card} to the coordinator of the topology; then causeway genesis pin genesis.signed --config ${shellWord(config)}`,
    )
    if (plan.passphrase !== undefined)
      this.out.hint(`The keys are encrypted: set ${PASSPHRASE_ENV} where the node starts.`)
  }

  private leave(): void {
    this.out.note('Nothing was written.')
    this.exitWith(INTERRUPTED)
  }
}

/** The topology entry of the peer that was made; undefined, and nothing is left, once the signal is raised. */
async function makePeer(plan: PeerPlan, signal: AbortSignal): Promise<PeerEntry | undefined> {
  const { newEntry, peerCardText, writeNew } = await import('../src/node/genesis/index.js')
  const { renderNodeConfig } = await import('../src/node/config/index.js')
  const { unwritable } = await import('../src/files/write-file.js')
  const { allOrNothing } = await import('../src/cli/setup/all-or-nothing.js')
  const { makeKeyFile } = await import('../src/cli/settings/key-view.js')
  const { folder, name, role, addresses, passphrase } = plan
  const { keys, validator: validatorFile, network: networkFile, card, config } = peerFiles(folder)
  const work = allOrNothing(async (made) => {
    const outermost = await mkdir(keys, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw unwritable(folder, error)
    })
    if (outermost !== undefined) made(outermost)
    await makeKeyFile('bls', validatorFile, 'cw', passphrase)
    made(validatorFile)
    await makeKeyFile('ed25519', networkFile, 'cw', passphrase)
    made(networkFile)
    const [validator, network] = [await readKey(validatorFile, passphrase), await readKey(networkFile, passphrase)]
    const entry = await newEntry({ name, validator, network: network.publicKey, addresses, role })
    await writeNew(card, await peerCardText(entry, network.secret))
    made(card)
    const values = { 'genesis.hash': NO_GENESIS, 'network.listen': plan.listen, 'gateway.listen': plan.gatewayListen }
    await writeNew(config, renderNodeConfig(values))
    made(config)
    signal.throwIfAborted()
    return entry
  })
  return work.catch((error: unknown) => {
    if (signal.aborted && error === signal.reason) return undefined
    throw error
  })
}
