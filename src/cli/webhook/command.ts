/** Owns shared parts of the webhook commands: signed requests about a webhook, and its display. */

import { Args, Flags } from '@oclif/core'
import type { AnyRoute } from '../../api/index.js'
import type { routes } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
import { writeNew } from '../../files/write-file.js'
import { EXIT } from '../../model/errors.js'
import { SignedCommand } from '../command/signed-command.js'
import { textOf, type View, viewOf, viewsOf } from '../gateway/gateway.js'
import type { SettingFlags } from '../settings/settings.js'
import { pairs, table } from '../terminal/output.js'
import { isoTime } from '../text/figures.js'

/** Permissions of a file with a secret: readable only by its owner. */
const SECRET_MODE = 0o600

/** Webhook argument of a command. */
export const webhookArg = {
  id: Args.string({ description: 'id of the webhook', required: true, ignoreStdin: true }),
}
/** Argument of an event that its endpoint refused. */
export const eventArg = {
  event: Args.string({ description: 'id of the event, height.number', required: true, ignoreStdin: true }),
}
/** Output of a secret that is shown only once. */
export const secretFlags = {
  'secret-out': Flags.string({
    description: 'write the secret to this new file (mode 0600) instead of printing it',
    helpValue: 'FILE',
  }),
}

type WebhookRoutes = (typeof routes)['webhooks']

/** Base class of webhook commands with signed requests. */
export abstract class WebhookCommand extends SignedCommand {
  /** Response of a webhook route to a signed request. */
  protected ask(
    flags: SettingFlags,
    pick: (all: WebhookRoutes) => Pick<AnyRoute, 'method' | 'path'>,
    params: Readonly<Record<string, string>> = {},
    body?: Json,
  ): Promise<View> {
    return this.askSigned(flags, ({ webhooks }) => pick(webhooks), { params, body })
  }

  /** Print the webhook in the response of a route. */
  protected async askAndShow(
    flags: SettingFlags,
    pick: (all: WebhookRoutes) => Pick<AnyRoute, 'method' | 'path'>,
    id: string,
  ): Promise<void> {
    const record = await this.ask(flags, pick, { id })
    this.out.result(record, webhookText(record))
  }

  /** Print the response of an endpoint to one attempt; the exit code reports whether it accepted the event. */
  protected attemptResult(record: View): void {
    this.out.result(record, answerText(record))
    this.exitWith(record.result === 'Delivered' ? EXIT.ok : EXIT.checkFailed)
  }

  /** Print the events of a list: their times, and the fields of the columns. */
  protected eventsResult(record: View, columns: Readonly<Record<string, string>>): void {
    const rows = viewsOf(record.items).map((one) => [
      isoTime(one.at_ms),
      ...Object.values(columns).map((field) => textOf(one[field]) ?? ''),
    ])
    this.out.result(record, table(['TIME', ...Object.keys(columns)], rows))
  }

  /** Print a record with a secret, which is written to a separate file if one is given. */
  protected async secretResult(record: View, file: string | undefined, text: string): Promise<void> {
    if (file === undefined) {
      this.out.result(record, `${text}\nsecret  ${textOf(record.secret)}`)
      this.out.note('The secret is shown only once: the endpoint verifies signatures with it.')
      return
    }
    const { secret, ...rest } = record
    await writeNew(file, `${textOf(secret)}\n`, SECRET_MODE)
    this.out.result({ ...rest, secret_file: file }, `${text}\nsecret  in ${file}`)
  }
}

/** Text of a webhook. */
export const webhookText = (view: View): string =>
  pairs(
    Object.entries(view).map(([name, value]) => {
      const { height, number } = viewOf(name === 'cursor' ? value : undefined)
      const words = name === 'filters' ? filterWords(value) : textOf(value)
      return [name.replaceAll('_', ' '), height === undefined ? words : `${height}.${number}`] as const
    }),
  )

/** Filters in the form of `webhook create`. */
const filterWords = (filters: Json | undefined): string =>
  viewsOf(filters)
    .map((filter) =>
      Object.entries(filter)
        .flatMap(([field, value]) => (value === null ? [] : [`${field}=${textOf(value)}`]))
        .join(','),
    )
    .join('  ') || 'all events'

/** Text of an endpoint's response. */
const answerText = ({ result, status, reason, duration_ms: ms }: View): string =>
  `${textOf(result)}${textOf(status) === undefined ? '' : ` with status ${textOf(status)}`} in ${textOf(ms)} ms${
    textOf(reason) === undefined ? '' : `: ${textOf(reason)}`
  }`
