import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ForecastInput } from '../../../../src/shared/forecasts/result'
import { previewForecastSchema } from '../../../../src/shared/forecasts/forecasts'
import type { ForecastSettings, ForecastSettingsInput } from '../../../../src/shared/forecasts/forecasts'
import type { PreviewResponse, PreviewRequest } from './preview-worker'
import { forecastPreviewQuery } from '../queries'

const PREVIEW_DEBOUNCE_MS = 400
type PreviewForecast = PreviewResponse['computed']

/** The worker as the hook sees it; tests give one of their own. */
export type PreviewWorker = Pick<Worker, 'postMessage' | 'terminate'> & {
  onmessage: ((event: MessageEvent<PreviewResponse>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
}
const startWorker = (): PreviewWorker =>
  new Worker(new URL('preview-worker.ts', import.meta.url), { type: 'module', name: 'forecast-preview' })

export interface ForecastPreview {
  prepared: ForecastInput | undefined
  /** The newest that was computed; an older one stands until the next one does. */
  computed: PreviewForecast | null
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
export function usePreview(settings: ForecastSettingsInput | null, start = startWorker): ForecastPreview {
  const [waited] = useDebouncedValue(settings, PREVIEW_DEBOUNCE_MS)
  const figures = useQuery({ ...forecastPreviewQuery(waited ?? PLACEHOLDER_SETTINGS), enabled: waited !== null })
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
const PLACEHOLDER_SETTINGS: ForecastSettingsInput = { subject: { kind: 'metric', id: '' } }

interface PreviewComputation {
  /** What it was computed from. */
  of: ForecastInput | undefined
  computed: PreviewForecast | null
  error: unknown
}

function useComputed(
  prepared: ForecastInput | undefined,
  settings: ForecastSettingsInput | null,
  start: () => PreviewWorker,
): { computed: PreviewForecast | null; busy: boolean; error: unknown } {
  const [work, setWork] = useState<PreviewComputation>({ of: undefined, computed: null, error: null })
  useEffect(() => {
    if (!prepared || !settings) return undefined
    const parsed = previewForecastSchema.safeParse(settings)
    if (!parsed.success) return undefined
    return computeInWorker(start, { prepared, settings: parsed.data }, (done) => setWork({ of: prepared, ...done }))
  }, [prepared, settings, start])
  return { computed: work.computed, busy: prepared !== undefined && work.of !== prepared, error: work.error }
}

/** Computes in a worker of its own. @returns what ends it */
function computeInWorker(
  start: () => PreviewWorker,
  { prepared, settings }: { prepared: ForecastInput; settings: ForecastSettings },
  tell: (done: Omit<PreviewComputation, 'of'>) => void,
): () => void {
  const worker = start()
  const question: PreviewRequest = { prepared, settings }
  worker.onmessage = ({ data }) => tell({ computed: data.computed, error: null })
  worker.onerror = (event) => {
    event.preventDefault()
    tell({ computed: null, error: new Error('Couldn’t compute the preview in this browser.') })
  }
  worker.postMessage(question)
  return () => worker.terminate()
}
