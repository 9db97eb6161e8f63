import { join } from 'node:path'
import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { readKey } from '../../src/cli/settings/key.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { counted } from '../../src/cli/terminal/output.js'

export default class TopologyCreate extends BaseCommand {
  static override description = `Create a topology file: the initial peers of a network.
Without --peer the file is empty; \`topology add\` adds peers one by one, on any machine.`
  static override examples = [
    '<%= config.bin %> topology create --out topology.json',
    '<%= config.bin %> topology create --out topology.json --peer val-0=keys/0,val-0.example:7400 --peer val-1=keys/1,val-1.example:7400',
  ]
  static override flags = {
    out: Flags.string({ description: 'path of the new file', default: 'topology.json' }),
    peer: Flags.string({
      description: 'NAME=FOLDER,HOST:PORT with validator.json and network.json in the folder; may be repeated',
      multiple: true,
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(TopologyCreate)
    const { newEntry, topologyText, writeNew } = await import('../../src/node/genesis/index.js')
    const entries = []
    for (const text of flags.peer ?? []) {
      const match = /^([^=]+)=([^,]+),(.+)$/.exec(text)
      if (match === null) throw usageError(`--peer ${text}: expected NAME=FOLDER,HOST:PORT`)
      const [, name = '', folder = '', addresses = ''] = match
      const validator = await readKey(join(folder, 'validator.json'))
      const network = (await readKey(join(folder, 'network.json'))).publicKey
      entries.push(await newEntry({ name, validator, network, addresses: addresses.split(','), role: 'validator' }))
    }
    await writeNew(flags.out, topologyText(entries))
    this.out.result({ file: flags.out, peers: entries }, `${flags.out}: ${counted(entries.length, 'peer')}`)
    if (entries.length === 0) this.out.hint('Next: causeway topology add')
  }
}
