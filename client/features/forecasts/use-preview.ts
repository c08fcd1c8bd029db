import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Prepared } from '../../../src/shared/forecast-result'
import { previewForecastSchema } from '../../../src/shared/forecasts'
import type { ForecastSettings, ForecastSettingsInput } from '../../../src/shared/forecasts'
import type { PreviewAnswer, PreviewAsk } from './preview-worker'
import { forecastPreviewQuery } from './queries'

const WAIT_MS = 400
type Computed = PreviewAnswer['computed']

/** The worker as the hook sees it; tests give one of their own. */
export type PreviewWorker = Pick<Worker, 'postMessage' | 'terminate'> & {
  onmessage: ((event: MessageEvent<PreviewAnswer>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
}
const startWorker = (): PreviewWorker =>
  new Worker(new URL('preview-worker.ts', import.meta.url), { type: 'module', name: 'forecast-preview' })

export interface Preview {
  prepared: Prepared | undefined
  /** The newest that was computed; an older one stands until the next one does. */
  computed: Computed | null
  /** Settings were changed since, or the answer is on its way. */
  busy: boolean
  /** Null: none. */
  error: unknown
  retry: () => void
}

/**
 * What a forecast with these settings would be: figures from the server, the rest in a web worker of the page, which is
 * ended when something newer is asked. Null: nothing to forecast yet.
 */
export function usePreview(settings: ForecastSettingsInput | null, start = startWorker): Preview {
  const [waited] = useDebouncedValue(settings, WAIT_MS)
  const figures = useQuery({ ...forecastPreviewQuery(waited ?? NOTHING), enabled: waited !== null })
  const prepared = waited === null ? undefined : figures.data
  const work = useComputed(prepared, waited, start)
  return {
    prepared,
    computed: waited === null ? null : work.computed,
    busy: settings !== waited || figures.isFetching || work.busy,
    error: figures.error ?? work.error,
    retry: () => void figures.refetch(),
  }
}
const NOTHING: ForecastSettingsInput = { subject: { kind: 'metric', id: '' } }

interface Work {
  /** What it was computed from. */
  of: Prepared | undefined
  computed: Computed | null
  error: unknown
}

function useComputed(
  prepared: Prepared | undefined,
  settings: ForecastSettingsInput | null,
  start: () => PreviewWorker,
): { computed: Computed | null; busy: boolean; error: unknown } {
  const [work, setWork] = useState<Work>({ of: undefined, computed: null, error: null })
  useEffect(() => {
    if (!prepared || !settings) return undefined
    const parsed = previewForecastSchema.safeParse(settings)
    if (!parsed.success) return undefined
    return ask(start, { prepared, settings: parsed.data }, (done) => setWork({ of: prepared, ...done }))
  }, [prepared, settings, start])
  return { computed: work.computed, busy: prepared !== undefined && work.of !== prepared, error: work.error }
}

/** Computes in a worker of its own. @returns what ends it */
function ask(
  start: () => PreviewWorker,
  { prepared, settings }: { prepared: Prepared; settings: ForecastSettings },
  tell: (done: Omit<Work, 'of'>) => void,
): () => void {
  const worker = start()
  const question: PreviewAsk = { prepared, settings }
  worker.onmessage = ({ data }) => tell({ computed: data.computed, error: null })
  worker.onerror = (event) => {
    event.preventDefault()
    tell({ computed: null, error: new Error('This browser could not compute the preview.') })
  }
  worker.postMessage(question)
  return () => worker.terminate()
}
