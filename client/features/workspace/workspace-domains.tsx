import { Alert, TagsInput } from '@mantine/core'
import { useState } from 'react'
import type { WorkspaceForm } from './workspace-fields'
import { useSession } from '../../lib/session'
import { mailDomainSchema } from '../../../src/shared/workspaces'

const DOMAINS_MAX = 20

/** Whose addresses may be invited: domains as chips. None = anybody. */
export function MailDomainsField({ form, readOnly }: { form: WorkspaceForm; readOnly: boolean }) {
  const [domainError, setFault] = useState<string | null>(null)
  const { user } = useSession()
  const domains = form.values.mailDomains
  const own = user?.email?.split('@').at(-1) ?? null
  const change = (given: string[]) => {
    const read = given.map((text) => ({ text, domain: mailDomainSchema.safeParse(text) }))
    const wrong = read.find(({ domain }) => !domain.success)
    setFault(wrong ? `“${wrong.text}” is not a domain. Write one such as company.com.` : null)
    const right = read.flatMap(({ domain }) => (domain.success ? [domain.data] : []))
    form.setFieldValue('mailDomains', [...new Set(right)])
  }
  return (
    <>
      <TagsInput
        label="Allowed mail domains"
        description="Only addresses of these domains can be invited. Leave it empty to invite anybody."
        placeholder={domains.length === 0 && !readOnly ? 'company.com' : ''}
        value={domains}
        onChange={change}
        maxTags={DOMAINS_MAX}
        splitChars={[',', ' ', ';']}
        readOnly={readOnly}
        error={domainError ?? form.errors['mailDomains']}
        clearButtonProps={{ 'aria-label': 'Remove all domains' }}
      />
      {own !== null && domains.length > 0 && !domains.includes(own) && (
        <Alert color="yellow" title={`Your own address is at ${own}`}>
          It is not among these domains. You stay a member, but colleagues with such an address cannot be invited.
        </Alert>
      )}
    </>
  )
}
