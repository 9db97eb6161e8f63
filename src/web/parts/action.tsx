/** Owns the actions of buttons: one at a time, with a notice of its outcome. */
import { useState } from 'preact/hooks'
import { visible } from '../format.js'
import { ApiError, errorText } from '../state/api.js'
import { Notice } from './ui.js'

/** Notice beside a button. */
interface Said {
  readonly text: string
  readonly isBad: boolean
}

const textOf = (error: unknown): string =>
  error instanceof ApiError ? errorText(error) : error instanceof Error ? error.message : 'The request failed.'

export interface Action {
  readonly said: Said | undefined
  readonly isBusy: boolean
  run(action: () => Promise<string>): void
}

/** Run one request at a time, with a notice of its outcome. */
export function useAction(): Action {
  const [said, say] = useState<Said | undefined>()
  const [isBusy, setBusy] = useState(false)
  const run = (action: () => Promise<string>): void => {
    if (isBusy) return
    setBusy(true)
    say(undefined)
    action()
      .then(
        (text) => say({ text, isBad: false }),
        (error: unknown) => say({ text: textOf(error), isBad: true }),
      )
      .finally(() => setBusy(false))
  }
  return { said, isBusy, run }
}

export const SaidNotice = ({ said }: { readonly said: Said | undefined }) => (
  <div role="status">
    {said === undefined ? null : <Notice tone={said.isBad ? 'bad' : 'plain'}>{visible(said.text)}</Notice>}
  </div>
)
