import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { endBy, onStopSignal } from '../../src/cli/terminal/daemon-signals.js'
import { surviveStandardOutput } from '../../src/cli/terminal/standard-output.js'

export default class SignerStart extends BaseCommand {
  static override description =
    'Hold the key of a validator in a separate process, in the foreground: nodes request votes from it, and its record prevents double signing, whichever node asks. See docs/operate/remote-signer.md.'

  static override examples = [
    '<%= config.bin %> signer start --config signer.toml',
    '<%= config.bin %> signer start --config signer.toml --resume-above 184220',
  ]

  static override flags = {
    config: Flags.string({ char: 'c', description: 'configuration file (TOML)', required: true, helpValue: 'FILE' }),
    'resume-above': Flags.integer({
      description:
        'start the record of a key that was used before: sign nothing up to this height, the last one that the key may have voted for',
      min: 1,
      helpValue: 'HEIGHT',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SignerStart)
    const [
      { loadSignerConfig },
      { endingOf, startSigner },
      { createLogger },
      { PASSPHRASE_ENV },
      { makeFilesPrivate },
    ] = await Promise.all([
      import('../../src/signer/config.js'),
      import('../../src/signer/start.js'),
      import('../../src/node/process/logger.js'),
      import('../../src/files/passphrase.js'),
      import('../../src/storage/index.js'),
    ])
    makeFilesPrivate()
    const config = await loadSignerConfig(flags.config)
    surviveStandardOutput()
    const log = createLogger({ level: 'info', file: undefined })
    const { logger } = log
    let stop: (reason: unknown) => void = () => undefined
    const stopped = new Promise<unknown>((resolve) => {
      stop = resolve
    })
    onStopSignal(() => stop(undefined))
    const signer = await startSigner(config, {
      logger,
      passphrase: process.env[PASSPHRASE_ENV],
      resumeAbove: flags['resume-above'],
      onFatal: stop,
    })
    logger.info({ address: signer.address, heights: signer.heights }, 'signer started')
    const failure = await stopped
    await signer.close()
    logger.info('stopped')
    if (!(await log.end())) endBy(failure === undefined ? 'SIGTERM' : 'SIGKILL')
    if (failure !== undefined) throw endingOf(failure)
  }
}
