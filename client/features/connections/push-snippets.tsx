import { Alert, Button, Code, CopyButton, Group, Stack, Tabs, Text } from '@mantine/core'
import classes from './connections.module.css'
import { FormFooter } from '../../ui/forms/form-footer'
import { SectionCard } from '../../ui/section-card'

interface PushTokenProps {
  sourceId: string
  token: string
  settings: Record<string, string>
  onDone: () => void
}

/** The token of a source that programs send to: shown once, in snippets that work as they are. */
export function PushToken({ sourceId, token, settings, onDone }: PushTokenProps) {
  return (
    <SectionCard title="Send your first rows">
      <Alert color="yellow" title="Copy the token now">
        It won’t be shown again. You can create a new one at any time.
      </Alert>
      <CopyLine text={token} label="Copy token" />
      <PushSnippets sourceId={sourceId} token={token} keyField={settings['key'] ?? 'id'} />
      <FormFooter>
        <Button onClick={onDone}>View source</Button>
      </FormFooter>
    </SectionCard>
  )
}

function CopyLine({ text, label }: { text: string; label: string }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Code style={{ overflowWrap: 'anywhere' }}>{text}</Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button size="xs" variant="default" onClick={copy} style={{ flex: 'none' }}>
            {copied ? 'Copied' : label}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}

interface PushSnippetsProps {
  sourceId: string
  /** Null: it was shown once, and a placeholder is in its place. */
  token: string | null
  keyField: string
}

const firstKey = (keyField: string): string => keyField.split(',')[0]?.trim() || 'id'

/** How programs send rows: with curl, Node and Python. */
export function PushSnippets({ sourceId, token, keyField }: PushSnippetsProps) {
  const url = `${window.location.origin}/api/ingest/${sourceId}`
  const bearer = token ?? 'YOUR_TOKEN'
  const row = `{"${firstKey(keyField)}": "1001", "amount": 249.5, "date": "2026-01-31"}`
  const snippets = {
    curl: `curl -X POST ${url} \\
  -H "Authorization: Bearer ${bearer}" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: batch-1" \\
  -d '[${row}]'`,
    node: `await fetch('${url}', {
  method: 'POST',
  headers: {
    authorization: 'Bearer ${bearer}',
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
  },
  body: JSON.stringify([${row}]),
})`,
    python: `import json, urllib.request, uuid

request = urllib.request.Request(
    "${url}",
    data=json.dumps([${row}]).encode(),
    headers={
        "Authorization": "Bearer ${bearer}",
        "Content-Type": "application/json",
        "Idempotency-Key": str(uuid.uuid4()),
    },
)
print(urllib.request.urlopen(request).read().decode())`,
  }
  return (
    <Stack gap="xs">
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="curl">curl</Tabs.Tab>
          <Tabs.Tab value="node">Node</Tabs.Tab>
          <Tabs.Tab value="python">Python</Tabs.Tab>
        </Tabs.List>
        {Object.entries(snippets).map(([name, text]) => (
          <Tabs.Panel key={name} value={name} pt="xs">
            <Stack gap="xs">
              <Code block className={classes.code} tabIndex={0}>
                {text}
              </Code>
              <CopyButton value={text}>
                {({ copied, copy }) => (
                  <Button size="xs" variant="default" onClick={copy} style={{ alignSelf: 'flex-start' }}>
                    {copied ? 'Copied' : 'Copy code'}
                  </Button>
                )}
              </CopyButton>
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
      <Text size="sm" c="dimmed">
        Send a JSON array or NDJSON, up to 1 MB. Rows with the same key are updated; the same Idempotency-Key counts
        once.
      </Text>
    </Stack>
  )
}
