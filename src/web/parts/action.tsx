/** Owns the actions of buttons: one at a time, with a notice of its outcome. */
import { useState } from 'preact/hooks'
import { visible } from '../format.js'
import { ApiError, errorText } from '../state/api.js'
import { Notice } from './ui.js'

/** Notice beside a button. */
interface ActionNotice {
  readonly text: string
  readonly isBad: boolean
}

const textOf = (error: unknown): string =>
  error instanceof ApiError ? errorText(error) : error instanceof Error ? error.message : 'The request failed.'

export interface Action {
  readonly notice: ActionNotice | undefined
  readonly isBusy: boolean
  run(action: () => Promise<string>): void
}

/** Run one request at a time, with a notice of its outcome. */
export function useAction(): Action {
  const [notice, setNotice] = useState<ActionNotice | undefined>()
  const [isBusy, setBusy] = useState(false)
  const run = (action: () => Promise<string>): void => {
    if (isBusy) return
    setBusy(true)
    setNotice(undefined)
    action()
      .then(
        (text) => setNotice({ text, isBad: false }),
        (error: unknown) => setNotice({ text: textOf(error), isBad: true }),
      )
      .finally(() => setBusy(false))
  }
  return { notice, isBusy, run }
}

export const ActionResult = ({ notice }: { readonly notice: ActionNotice | undefined }) => (
  <div role="status">
    {notice === undefined ? null : <Notice tone={notice.isBad ? 'bad' : 'plain'}>{visible(notice.text)}</Notice>}
  </div>
)
