import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.js'
import { usageError } from '../../src/cli/failure.js'
import { readKey } from '../../src/cli/key.js'
import { LedgerError } from '../../src/model/errors.js'

export default class TopologyAdd extends BaseCommand {
  static override description = 'Add a peer to a topology file, with the proof of possession of its validator key.'
  static override examples = [
    '<%= config.bin %> topology add val-0 --key-file keys/validator.json --network-key keys/network.json --address val-0.example:7400',
  ]
  static override args = { name: Args.string({ description: 'name of the peer', required: true, ignoreStdin: true }) }
  static override flags = {
    file: Flags.string({ description: 'topology file', default: 'topology.json' }),
    'network-key': Flags.string({ description: 'key file or public key (ed0120...) of the links', required: true }),
    address: Flags.string({ description: 'host:port of the links; may be repeated', multiple: true, required: true }),
    observer: Flags.boolean({ description: 'follows without voting' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TopologyAdd)
    const validatorFile = flags['key-file'] ?? process.env.CAUSEWAY_KEY_FILE
    if (validatorFile === undefined) throw usageError('nothing names the validator key', 'Give --key-file.')
    const { parsePublicKey } = await import('../../src/crypto/keys.js')
    const { readEntries, writeEntries } = await import('../../src/cli/topology-file.js')
    const { parseHostPort } = await import('../../src/node/config/index.js')
    const { newEntry } = await import('../../src/node/genesis/index.js')
    for (const address of flags.address) {
      if (parseHostPort(address) === undefined) throw usageError(`--address ${address}: expected host:port`)
    }
    const network = parsePublicKey(flags['network-key']) ?? (await readKey(flags['network-key'])).publicKey
    const entries = await readEntries(flags.file)
    const entry = await newEntry({
      name: args.name,
      validator: await readKey(validatorFile),
      network,
      addresses: flags.address,
      role: flags.observer ? 'observer' : 'validator',
    })
    const twin = entries.find((one) => one.name === entry.name || one.key === entry.key)
    if (twin !== undefined) {
      throw new LedgerError('topology_invalid', `${flags.file}: ${String(twin.name)} has this name or key already`)
    }
    await writeEntries(flags.file, [...entries, { ...entry }])
    this.out.result(entry, `${flags.file}: added ${entry.name}, ${entries.length + 1} peers`)
  }
}
