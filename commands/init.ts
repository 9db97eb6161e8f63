import { mkdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Flags } from '@oclif/core'
import { ask, canAsk } from '../src/cli/ask.js'
import { BaseCommand } from '../src/cli/base-command.js'
import { usageError } from '../src/cli/failure.js'
import { readKey } from '../src/cli/key.js'
import { pairs } from '../src/cli/output.js'

/** Port of the links when an address names none. */
const DEFAULT_LINK_PORT = 7400
/** Stands in the configuration until the genesis is known; a node does not start with it. */
const NO_GENESIS = '0'.repeat(64)

export default class Init extends BaseCommand {
  static override description =
    `Make the folder of one peer on the host where it will run: keys, configuration, peer card.
The private keys are made here and stay here. The card (card.json) holds public parts only: send it to whoever writes the
topology, who adds it with \`causeway topology add card.json\`. In a terminal it asks for what no flag gives.`
  static override examples = [
    '<%= config.bin %> init --dir node --name bank-a --address bank-a.example:7400',
    '<%= config.bin %> init --dir watcher --name auditor --address auditor.example:7400 --observer --no-input',
  ]
  static override flags = {
    dir: Flags.string({ description: 'folder of the peer', default: '.' }),
    name: Flags.string({ description: 'name of the peer, for people' }),
    address: Flags.string({ description: 'host:port where the other peers reach it; may be repeated', multiple: true }),
    listen: Flags.string({ description: 'host:port on which it takes links; default all interfaces' }),
    'gateway-listen': Flags.string({ description: 'host:port of its gateway', default: '127.0.0.1:8080' }),
    observer: Flags.boolean({ description: 'follows without voting' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Init)
    const { parseHostPort, renderNodeConfig } = await import('../src/node/config/index.js')
    const { newEntry, peerCardText, writeNew } = await import('../src/node/genesis/index.js')
    const { allOrNothing } = await import('../src/cli/all-or-nothing.js')
    const { makeKeyFile } = await import('../src/cli/key-view.js')
    const { nameFault } = await import('../src/model/index.js')
    const addressFault = (text: string): string | undefined =>
      parseHostPort(text) === undefined ? 'expected host:port, for example bank-a.example:7400' : undefined
    let { name, address: addresses } = flags
    if ((name === undefined || addresses === undefined) && canAsk(flags['no-input'])) {
      const host = hostname()
      const [first = '', second = ''] = await ask([
        { text: 'Name of this peer', fallback: name ?? host.split('.')[0] ?? 'peer', fault: nameFault },
        {
          text: 'Address at which the other peers reach it',
          fallback: addresses?.[0] ?? `${host}:${DEFAULT_LINK_PORT}`,
          fault: addressFault,
        },
      ])
      name ??= first
      addresses ??= [second]
    }
    if (name === undefined) throw usageError('nothing names the peer', 'Give --name.')
    if (addresses === undefined) throw usageError('nothing says where the peer is reached', 'Give --address.')
    const wrongName = nameFault(name)
    if (wrongName !== undefined) throw usageError(`--name: ${wrongName}`)
    for (const one of [...addresses, ...(flags.listen === undefined ? [] : [flags.listen]), flags['gateway-listen']]) {
      const wrong = addressFault(one)
      if (wrong !== undefined) throw usageError(`${one}: ${wrong}`)
    }
    const port = parseHostPort(addresses[0] ?? '')?.port ?? DEFAULT_LINK_PORT
    const folder = flags.dir
    const [validatorFile, networkFile] = [join(folder, 'keys', 'validator.json'), join(folder, 'keys', 'network.json')]
    const [card, config] = [join(folder, 'card.json'), join(folder, 'node.toml')]
    const role = flags.observer ? 'observer' : 'validator'
    const entry = await allOrNothing(async (made) => {
      const outermost = await mkdir(join(folder, 'keys'), { recursive: true, mode: 0o700 })
      if (outermost !== undefined) made(outermost)
      await makeKeyFile('bls', validatorFile, 'cw')
      made(validatorFile)
      await makeKeyFile('ed25519', networkFile, 'cw')
      made(networkFile)
      const [validator, network] = [await readKey(validatorFile), await readKey(networkFile)]
      const peer = await newEntry({ name, validator, network: network.publicKey, addresses, role })
      await writeNew(card, await peerCardText(peer, network.secret))
      made(card)
      const values = {
        'genesis.hash': NO_GENESIS,
        'network.listen': flags.listen ?? `0.0.0.0:${port}`,
        'gateway.listen': flags['gateway-listen'],
      }
      await writeNew(config, renderNodeConfig(values))
      return peer
    })
    const view = { folder, card, config, peer: entry }
    this.out.result(
      view,
      pairs([
        ['peer', `${name} (${role})`],
        ['card', card],
        ['configuration', config],
        ['validator key', entry.key],
        ['network key', entry.network_key],
      ]),
    )
    this.out.hint(
      `Next: send ${card} to whoever writes the topology; then causeway genesis pin genesis.signed --config ${config}`,
    )
  }
}
