export function UploadPanel(_props: { onDone: (sourceId: string) => void }) {
  return <p>Files cannot be added yet.</p>
}
