/** A small ledger in SIE 5: two fiscal years, dimensions, a budget, a voucher with a struck row. */
export const SIE5_LEDGER = `<?xml version="1.0" encoding="utf-8"?>
<sie:Sie xmlns:sie="http://www.sie.se/sie5">
  <sie:FileInfo>
    <sie:SoftwareProduct name="Bokför" version="5"/>
    <sie:FileCreation time="2026-02-01T10:00:00Z" by="LH"/>
    <sie:Company organizationId="5566778899" name="Åkeri &amp; Son AB"/>
    <sie:FiscalYears>
      <sie:FiscalYear start="2024-01" end="2024-12"/>
      <sie:FiscalYear start="2025-01" end="2025-12" primary="true"/>
    </sie:FiscalYears>
    <sie:AccountingCurrency currency="EUR"/>
  </sie:FileInfo>
  <sie:Accounts>
    <sie:Account id="1930" name="Bank" type="asset">
      <sie:OpeningBalance month="2025-01" amount="100.00"/>
      <sie:ClosingBalance month="2025-12" amount="70.5"/>
      <sie:ClosingBalance month="2024-12" amount="100.00"/>
    </sie:Account>
    <sie:Account id="5010" name="Lokalhyra" type="cost" unit="m2">
      <sie:ClosingBalance month="2025-12" amount="29.50"/>
      <sie:ClosingBalanceMultidim month="2025-12" amount="29.50" quantity="3">
        <sie:ObjectReference dimId="1" objectId="10"/>
        <sie:ObjectReference dimId="6" objectId="P1"/>
      </sie:ClosingBalanceMultidim>
      <sie:Budget month="2025-03" amount="12.00"/>
    </sie:Account>
  </sie:Accounts>
  <sie:Dimensions>
    <sie:Dimension id="1" name="Kostnadsställe"><sie:Object id="10" name="Lund"/></sie:Dimension>
    <sie:Dimension id="6" name="Projekt"><sie:Object id="P1" name="Projekt ett"/></sie:Dimension>
  </sie:Dimensions>
  <sie:Journal id="A" name="Hyror">
    <sie:JournalEntry id="1" journalDate="2025-03-05" text="Hyra">
      <sie:EntryInfo date="2025-03-06" by="LH"/>
      <sie:LedgerEntry accountId="1930" amount="-29.50"/>
      <sie:LedgerEntry accountId="5010" amount="29.50" ledgerDate="2025-03-31" text="Mars" quantity="3">
        <sie:ForeignCurrencyAmount amount="300" currency="SEK"/>
        <sie:ObjectReference dimId="1" objectId="10"/>
        <sie:EntryInfo date="2025-05-05" by="LH"/>
      </sie:LedgerEntry>
      <sie:LedgerEntry accountId="5010" amount="999">
        <sie:Overstrike date="2025-03-07" by="LH"/>
      </sie:LedgerEntry>
    </sie:JournalEntry>
  </sie:Journal>
</sie:Sie>
`
