import { FaultNotice } from './fault-notice'
import { ReadingFile } from './reading-file'
import type { FileJob } from './upload-queue'
import { UploadProgress } from './upload-progress'

export interface OneFileProps {
  job: FileJob
  onRetry: (key: number) => void
  onLeave: () => void
}

/** A single file until its tables are there. */
export function OneFile({ job: { key, file, state }, onRetry, onLeave }: OneFileProps) {
  switch (state.at) {
    case 'waiting':
      return null
    case 'sending':
      return <UploadProgress fileName={file.name} progress={state.progress} onCancel={onLeave} />
    case 'opening':
      return <ReadingFile fileName={file.name} onCancel={onLeave} />
    case 'failed':
      return <FaultNotice error={state.error} subject={file.name} onRetry={() => onRetry(key)} onPickFile={onLeave} />
    case 'opened':
      return null
  }
}
