import { SourceErrorNotice } from './fault-notice'
import { ParsingFile } from './reading-file'
import type { FileJob } from './upload-queue'
import { UploadProgress } from './upload-progress'

export interface SingleFileUploadProps {
  job: FileJob
  onRetry: (key: number) => void
  onCancel: () => void
}

/** A single file until its tables are there. */
export function SingleFileUpload({ job: { key, file, state }, onRetry, onCancel: onLeave }: SingleFileUploadProps) {
  switch (state.at) {
    case 'waiting':
      return null
    case 'sending':
      return <UploadProgress fileName={file.name} progress={state.progress} onCancel={onLeave} />
    case 'opening':
      return <ParsingFile fileName={file.name} onCancel={onLeave} />
    case 'failed':
      return (
        <SourceErrorNotice error={state.error} subject={file.name} onRetry={() => onRetry(key)} onPickFile={onLeave} />
      )
    case 'opened':
      return null
  }
}
