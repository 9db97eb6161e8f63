import { resolve, sep } from 'node:path'
import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'

export default class KeyLink extends BaseCommand {
  static override description =
    `Write a key file for a key that is held by a program: the file names the program, and contains no secret.
The program is asked for its public key, then for each signature; docs/reference/signer-command.md describes the protocol.`
  static override examples = [
    '<%= config.bin %> key link --out alice.json ./hsm-signer',
    '<%= config.bin %> key link --out alice.json -- pkcs11-signer --label alice',
  ]
  static override strict = false
  static override args = {
    program: Args.string({ description: 'program, followed by its arguments', required: true, ignoreStdin: true }),
  }
  static override flags = {
    out: Flags.string({ description: 'path of the new key file', required: true }),
    'address-prefix': Flags.string({ description: 'prefix of the addresses of the chain', default: 'cw' }),
  }

  async run(): Promise<void> {
    const { argv, args, flags } = await this.parse(KeyLink)
    const { writeCommandKeyFile } = await import('../../src/files/key-file.js')
    const { openKeyProgram } = await import('../../src/files/key-program.js')
    const { keyView, madeKeyText } = await import('../../src/cli/settings/key-view.js')
    // The file may be used from any folder.
    const program = args.program.includes(sep) ? resolve(args.program) : args.program
    const command = [program, ...argv.map(String).slice(1)] as const
    const { publicKey } = await openKeyProgram(command)
    await writeCommandKeyFile(flags.out, publicKey, command)
    const view = keyView(flags.out, publicKey, flags['address-prefix'])
    this.out.result(view, madeKeyText(view))
  }
}
