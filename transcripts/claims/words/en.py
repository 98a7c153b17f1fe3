"""The words of the game in English."""

from __future__ import annotations

from tianhei.transcripts.claims.words.rule import Denied, RecordRule, Rule, Words

_ADV = (
    r"(?:(?:really|actually|indeed|just|only|definitely|clearly|probably|certainly|still|also|obviously|simply|surely|"
    r"honestly|most likely|likely|almost|so|very|too|quite|rather|pretty|a bit|a little|all|rock|frankly|plainly|"
    r"in fact|now|even|by far|for sure|perhaps|maybe|completely|totally|absolutely|highly|truly|extremely|"
    r"somewhat|increasingly|more|most|the most|mostly|one of|to me|deeply|either|both)\s)*"
)
_BE = r"(?:\sis|\sare|'s|'re|\smust be|\shas to be|\shave to be|\scould be|\smay be|\smight be|\scan be|\swill be)"
_LOOK = (
    r"(?:\s(?:looks?|seems?|sounds?|feels?|reads?|smells?|comes? across|strikes? me|appears?|looked|sounded|seemed|felt|"
    r"acts?|plays?|behaves?)(?:\s(?:like|as|to be|to me|to me like|more|less))*)"
)
_NO = r"(?:(?P<no>\snot|n't|\sno|\snever|\shardly|\sno longer)\b)?"
_BAD = (
    r"(?:(?:a |an |the |our |your |my |that |another |one |one of the |of the )?(?:second |first |last |other |hidden |real |likely |likeliest |"
    r"obvious |top |main |clear |possible |potential )?"
    r"(?:killers?|wolf|wolves|werewol(?:f|ves)|mafia|baddies?|bad(?: guys?| news)?|evil|red|guilty|suspicious|suspects?|scum|scummy|"
    r"wolfy|wolfish|fishy|shady|liars?|lying|fakes?|faking|bluffing|off|wrong|dirty|worst|dangerous|hiding|"
    r"playing (?:false|us|dirty)|stalling|two-faced|false|crooked|threat|culprit|"
    r"attacker|dishonest|deceptive|deceiving|misleading|nervous|slippery|sus|rotten|"
    r"stirring|contradicting|evasive|dodgy|the one i'?d watch))\b"
)
_FINE = (
    r"(?:(?:a |an |the |our |one of us|one of the |of the )?(?:real |honest |true |good |genuine |fellow )?(?:good|innocents?|clean|clear|cleared|human|"
    r"town|townie|trustworthy|honest|genuine|credible|white|safe|fine|sincere|okay|on our side|with us|"
    r"solid|reliable|believable|villagers?|an ally|ally|allies|real|angel|(?<=good )(?:player|one|person|man)|not (?:a |the |one of the )?(?:killers?|wol(?:f|ves)|werewol(?:f|ves))))\b"
)
_CARDS = {
    "killer": r"(?:killer|murderer|werewolf|wolf|mafia(?: member)?)",
    "police": r"(?:police(?:man|woman)?(?: officer)?|cop|officer|detective|seer|fortune[- ]teller|prophet|sheriff)",
    "civilian": r"(?:civilian|villager|vanilla(?: town(?:ie)?| villager)?|citizen|townsfolk|commoner)",
    "butterfly": r"(?:butterfly)",
    "sniper": r"(?:sniper)",
    "doctor": r"(?:doctor|doc|medic)",
    "elder": r"(?:forest elder|elder)",
    "not_killer": r"(?:good(?: guy| player| person| man| side)?|innocent|town(?:ie)?|human|clean|one of the good(?: ones| guys| side)?|"
    r"on your side|on the good side|with the good side|not (?:a |the |one of the )?(?:killers?|wol(?:f|ves)|werewol(?:f|ves)))",
    "none": r"(?:witch|hunter|guard|bodyguard|medium|possessed|madman)",
}
_RESULTS = {
    "no_sign": r"\b(?:no (?:sign|signal|answer|gesture|result|thumb|reply)|nothing(?! (?:bad|wrong))(?: came)?|(?:judge|he|she)(?: only)? (?:gave|showed|made) (?:me )?(?:no|nothing)|"
    r"without (?:a |any )?(?:sign|answer|gesture)|blank|neither (?:a )?nod)\b",
    "not_killer": r"\b(?:nothing (?:bad|wrong)|not (?:a |the |one |one of the )?(?:killers?'?|wolf|werewolf|mafia)|no killer|isn't (?:a |the )?(?:killer|wolf|werewolf)|wasn't (?:a |the )?(?:killer|wolf)|good|clean|innocent|clear(?:ed)?|human|white|"
    r"town|green|safe|villager|thumbs? (?:went |was |pointed )?down|shook|shake|shaken head|shake of the head)\b",
    "killer": r"\b(?:killer|wolf|werewolf|guilty|red|mafia|bad|evil|dirty|black|thumbs? (?:went |was |pointed )?up|nod(?:ded)?)\b",
}
_CHECK = r"(?:checked|investigated|examined|inspected|divined|peeked at|scanned|tested|looked at|looked into|verified)"
_TIME = r"(?:last night |tonight |(?:on )?night \w+ |(?:on |in )?the (?:first|second|third|fourth|fifth) night |first night |then |also |already |just |first |and |have |'ve |had |did |really |actually |indeed |myself )*"
_GO = r"(?:go|leave|be voted out|be out|be gone|hang|be exiled|be removed|walk)"

_DENY: Denied = (("deny", "card"),)

RULES = (
    # What the speaker is.
    Rule(
        "role",
        rf"\bI\s?(?:'m| am| was dealt| hold| held| have| drew| got| remain| can only be| must be| was){_NO}\s{_ADV}(?:the |a |an |your |our |my |one of the |one of |that |this )?(?:only |real |true |plain |ordinary |simple |last |other |second |first |one |actual |genuine |mere |lone |normal |boring |honest |humble |poor |innocent |good )*<C>\b(?! of| side of|'s)(?: card)?",
        "card",
        _DENY,
    ),
    Rule(
        "role",
        r"\b(?:I|I'm|I am)(?: hereby| now| will| must| have to| do| openly|'ll| want to)? (?:claim(?:ing)?|come out(?: as)?|coming out(?: as)?|declare(?: myself)?|reveal(?:ing)?(?: myself)?(?: as)?|say it openly|CO)(?: that I am| I am| to be| as|:|,)? (?:the |a |an )?(?:real |true |other |plain )*<C>\b",
        "card",
        _DENY,
    ),
    Rule(
        "role",
        r"\b(?:my|the) (?:card|role) (?:in my hand )?(?:is|says|reads)(?: that of)? (?:the |a |an )?(?:plain |real )?<C>\b",
        "card",
        _DENY,
    ),
    Rule(
        "role",
        r"(?:^|[,;:.]\s|\band )(?:the |a )?(?:real |true |plain |honest )?<C> (?:here|speaking|myself)\b",
        "card",
    ),
    Rule(
        "role", r"(?:^|[,;:]\s)(?:yes, |okay, |well, )?(?:I )?(?:counter(?:-?claim)?|I'm the counter)\b(?!ed)", "police"
    ),
    Rule(
        "role",
        r"\b(?:you have|you hear|here speaks|here is|this is|here it is: ?|it's) (?:the |a )?<C>(?: speaking| talking| card)?\b(?=[.!,;:]|$| speaking)",
        "card",
    ),
    Rule("role", r"\b(?:speaking|talking) as (?:the |a )?<C>\b", "card"),
    Rule(
        "role",
        r"\bas (?:the |your )(?:real |true )?(?P<c>police|cop|doctor|doc|sniper|butterfly|forest elder|elder|seer),? I\b",
        "card",
    ),
    Rule(
        "role",
        r"\b(?:turn (?:my card|me) over|look at my card|under my card|in my hand|my card)\b[^.?!]{0,30}?\b(?:the |a )<C>\b",
        "card",
    ),
    Rule("role", r"\bthe <C> (?:is|was) (?:me|speaking|talking)\b", "card"),
    # What another is, flatly.
    Rule(
        "role",
        rf"<S>(?:'s|\sis|\smust be|\shas to be)\s{_ADV}(?:the |our |your |my )(?:real |true |actual |genuine |one true )*(?P<c>police(?:man| officer)?|cop|officer|detective|seer|doctor|doc|medic|sniper|butterfly|forest elder|elder)\b(?!'s| (?:for me|to me|in my))",
        "card",
        (("deny", "card"), ("accuse", "none")),
    ),
    Rule(
        "deny",
        r"<S>(?:'s|\sis|\sare|\swas)(?: simply| clearly| just| certainly)?(?: not|n't|\sno| never)(?: the| a| any| our| really the| really a)*(?: real| true)* (?P<c>police|cop|officer|seer|detective|doctor|sniper|butterfly|forest elder|elder)\b",
        "card",
        also=(("accuse", "none"),),
        flat=True,
    ),
    Rule(
        "deny",
        r"<S>(?:'s|\sis|\sare)\s(?:\w+ )?(?:an? |the |our )?(?:fake|false|phon[ey]y?|pretend|bogus|impostor|made-up) (?P<c>police|cop|officer|seer|detective|doctor|sniper|butterfly|elder)\b",
        "card",
        also=(("accuse", "none"),),
    ),
    Rule(
        "deny",
        r"<S>(?:'s)? (?:(?:police|cop|seer|officer)(?:'s)? )?(?:claim|story|check|report|CO)(?: on \S)?(?:\sis|'s|\swas|\slooks|\ssounds|\sfeels)\s(?:\w+ )?(?:fake|false|made[- ]up|a lie|invented|a bluff|bogus|a fake|phony|fiction)",
        "police",
        also=(("accuse", "none"),),
    ),
    Rule(
        "deny",
        r"<S>(?:'s|\sis)(?: \w+)? (?:a |the )?(?:fake|fraud|impostor|phony)(?=[.!,;]|$)",
        "police",
        also=(("accuse", "none"),),
    ),
    Rule(
        "deny",
        r"\bno way (?:that )?<S>(?:'s|\sis) (?:a |the |our )?<C>\b",
        "card",
        also=(("accuse", "none"),),
        flat=True,
    ),
    Rule("deny", r"\b(?:I'm|I am|^) ?not (?:guilty|one of them|the enemy)\b", "killer", flat=True),
    Rule(
        "deny",
        r"<S>'s? (?:\w+ )?(?:fake|false|phony|bogus|invented|made-up) (?:\w+ )?(?:CO|claim|check|report|divination|result)s?\b",
        "police",
        also=(("accuse", "none"),),
    ),
    Rule(
        "deny",
        r"\bI(?: do)?(?:n't| not) (?:believe|buy|accept|trust)(?: in)? <S>'s (?:police |cop |seer |whole |so-called )*(?:claim|check|report|CO)\b",
        "police",
        also=(("accuse", "none"),),
        flat=True,
    ),
    Rule(
        "deny",
        r"<S>(?:'s|\sis|\sare)?\s(?:just |only |clearly |obviously )?(?:fak(?:ed|ing)|bluff(?:ed|ing)|invented|invent(?:s|ing)|ma(?:de|kes|king) up)(?: the| that| his| her| their| a| being)* (?:police|cop|seer|claim|check|checks|report|reports|officer)\b",
        "police",
        also=(("accuse", "none"),),
    ),
    # What he did not say or do.
    Rule(
        "deny",
        r"\bI(?: have|'ve| had| certainly| really)?(?: never|n't| not)(?: ever| once| even)* (?:said|claimed|told|voted|accused|called|stood (?:with|by)|backed|trusted|checked anybody|checked anyone|needled|shot|carried|silenced|promised|pushed|defended|sided|asked|wrote|cleared)\b",
        "none",
        flat=True,
    ),
    Rule(
        "deny",
        r"\bI did(?:n't| not)(?: ever| even)* (?:say|claim|tell|vote|accuse|call|needle|shoot|carry|silence|promise|push|defend|side|ask|clear|fire|kill)\b",
        "none",
        flat=True,
    ),
    Rule(
        "deny",
        r"\bI(?: have|'ve)? (?:needled|shot|carried|silenced|checked|accused|voted for|pushed) (?:nobody|no one|none|nothing)\b|\bI (?:did(?:n't| not)|never did|have(?:n't| not))(?=[.!,;]|$)",
        "none",
        flat=True,
    ),
    # Checks.
    Rule("check", rf"\bI {_TIME}{_CHECK} <S>", "result"),
    Rule(
        "check",
        rf"\bI {_TIME}(?:found|caught|saw) <S>(?:\s(?:is|was|to be|as|out as|came))*\s(?:a |the )?<R>(?: by (?:my )?check| in the night| at night| last night)",
        "result",
    ),
    Rule(
        "check",
        rf"(?:^|[,;:.]\s|\band |\bthen ){_TIME}(?:checked|divined|check(?:s|ed)?:|my checks?:?|checks? so far:) {_TIME}<S>",
        "result",
    ),
    Rule(
        "check",
        r"\bmy (?:own )?(?:first |second |third |last |only |night \w+ |first-night |one |latest )*(?:checks?|investigations?|divinations?)(?: last night| (?:of|on|in|from) (?:the )?(?:\w+ )?night(?: \w+)?| so far)*(?: was| were| is| are| went to| fell on| hit| landed on| shows?| says?| on| of|:|,|\sresult)*(?: that)? <S>",
        "result",
    ),
    Rule(
        "check", r"\bmy [nd]\d (?:check |result |divination |divine )?(?:found|was|on|shows?|says|:)?,? ?<S>", "result"
    ),
    Rule(
        "check",
        r"<S>(?:'s|\sis|\sare|\swas)\s(?:a |my |the )?(?P<r>guilty|red|killer|green|clean|clear(?:ed)?|good|innocent)(?: by| on| from| from my| in my)(?: my)? (?:check|divination|last night's check)s?\b",
        "result",
    ),
    Rule(
        "check",
        r"<S>(?:'s|\sis|\sare|\swas)\s(?:a |my )(?:checked |first |second )*(?P<r>guilty|red(?: check)?|green(?: check)?|clear)\b",
        "result",
    ),
    Rule(
        "check",
        r"<S>(?:'s|\sis|\swas) my (?:check|checked \w+)(?: (?:of|from|on) (?:last night|night \w+))?\b",
        "result",
    ),
    Rule("check", r"<S> (?:came|comes) (?:back|up|out)(?: as)? (?:a |the )?<R>\b", "result"),
    Rule(
        "check", r"<S> checked (?:out )?(?:as )?(?:a )?(?P<r>good|clean|clear|innocent|guilty|killer|red)\b", "result"
    ),
    Rule(
        "check",
        r"\b(?:I|I've|we)(?: have| had| got| hold)? (?:got |have )?(?:an? |the )(?P<r>guilty|red check|red|green check|green|clean check|clear|killer|clean one)(?: check| result)? (?:on|for|with|in|at|from) <S>",
        "result",
    ),
    Rule(
        "check",
        r"\bthumbs?(?: \w+)? (?:went |was |pointed |turned )?(?P<r>up|down)(?: for| on| at| about) <S>",
        "result",
    ),
    Rule(
        "check",
        r"\bthe judge (?:\w+ )?(?P<r>nodded|shook his head|shook her head|shook the head|shook|gave no sign|gave me no sign|gave nothing)(?: (?:at|for|on|about|over|when I pointed at|when I asked (?:about|for)|when I checked))? <S>",
        "result",
    ),
    Rule(
        "check",
        r"(?:\bnight (?:\w+)|\bnights?|\b(?:first|second|third|fourth) night|\blast night)[,:]? (?:it was |came |on |at )?<S>[,:]? (?:(?:who )?(?:is|was|came)|and (?:he|she|that) (?:is|was)|as|,|:|=|-)*\s?(?:a |the )?<R>\b",
        "result",
    ),
    Rule(
        "check",
        r"<S>[,:]? (?:was )?(?:checked |picked )?(?:by me )?(?:last night|on night \w+|in the first night|night \w+)(?: by me)?[,:] (?:and |he's |she's |is |it's )?(?:a |the )?(?P<r>not (?:a |the )?killers?'?|killer|good|clean|innocent|guilty|no sign|clear|human|wolf|not a wolf)(?=[.!,;]|$)",
        "result",
    ),
    Rule(
        "check",
        r"\bI (?:picked|tried|took|chose|went for|pointed at|asked about) <S> (?:last night|on night \w+|in the night)[,:]?(?: and| the answer| came| was| the judge| it| up| empty| said| told| me| he| she| is|,| his| her| sign| result|:|-)*\s(?:a |the )?<R>",
        "result",
    ),
    Rule(
        "check",
        r"\bcheck (?:on|of) (?:night \w+|last night|the \w+ night)[^.?!]{0,20}\b(?:found|says|said|showed|shows)[^.?!]{0,12}?(?P<r>nothing bad|nothing|good|killer|no killer|clean|innocent) (?:in|on|about|at|for|of) <S>",
        "result",
    ),
    # Deeds of the night.
    Rule(
        "save",
        rf"\bI {_TIME}(?:needled|saved|treated|gave (?:my|the) needle to|healed|protected|rescued|guarded|cured|jabbed|stuck) <S>",
        denied=(("deny", "none"),),
    ),
    Rule(
        "save",
        r"\b(?:my|the) needle(?: last night| on night \w+| that night| of night \w+)? (?:went|was|is|landed|goes|fell)(?: to| on| for| in| into)? <S>",
        denied=(("deny", "none"),),
    ),
    Rule("save", r"\bneedled \S[^.?!]{0,30}\band <S> (?:on|in) (?:night|the)"),
    Rule(
        "save",
        r"<S> (?:got|had|has|received) my needle|\bI (?:put|used|spent) (?:my|the|a) needle (?:on|in|into) <S>",
        denied=(("deny", "none"),),
    ),
    Rule(
        "shot",
        rf"\bI {_TIME}(?:shot|hit|fired at|sniped|took a shot at|aimed at|poisoned|put a bullet in(?:to)?) (?:at )?<S>",
        denied=(("deny", "none"),),
    ),
    Rule(
        "shot",
        r"\bmy (?:bullet|shot)(?: last night| on night \w+| that night| of night \w+)? (?:went|was|hit|flew|landed|is|took)(?: to| at| on| for| into| out)? <S>",
        denied=(("deny", "none"),),
    ),
    Rule(
        "carry",
        rf"\bI {_TIME}(?:carried|hugged|held|took|embraced|was carrying) <S>(?: (?:last night|with me|on night|that night|in my arms|along))?",
        denied=(("deny", "none"),),
    ),
    Rule(
        "carry",
        r"<S> was (?:with me|in my arms|carried by me|the one I carried)|\bthe one I carried (?:last night )?(?:was|is) <S>",
        denied=(("deny", "none"),),
    ),
    Rule("silence", rf"\bI {_TIME}(?:silenced|muted|gagged|shut up|hushed) <S>", denied=(("deny", "none"),)),
    Rule(
        "silence",
        r"\b(?:it was me|it was I|I am the one|I'm the one|I was the one) who (?:silenced|muted|hushed|gagged) <S>",
    ),
    Rule("silence", r"\bmy silence (?:fell|went|lay|was)(?: to| on)? <S>"),
    # Whom he holds for a killer.
    Rule(
        "accuse",
        r"\bI(?:'m|'d| am| do| would| still| really| also| now|'ve| have| will| can only| only| most| strongly| rather| have to| must| just| already| start to| had| kind of| more and more)* (?:suspect(?:ing)?|accus(?:e|ing)|doubt(?:ing)?|distrust(?:ing)?|mistrust(?:ing)?|push(?:ing)?|press(?:ing)?|pointing at|point at|point to|after|going after|go after|against|stand against|wary of|suspicious of|afraid of|scared of|watching|worried about|fear|blame)(?: only| mainly| mostly| that it's| it's| both)? <S>",
    ),
    Rule(
        "accuse",
        r"\b(?:my|the|our) (?:\w+ )?(?:\w+ )?(?:suspects?|suspicions?|doubts?|finger|eye|eyes|worry|accusation|distrust|target|first pick|pick|read on a killer|push|guess|judgment|judgement|candidate|bet|pressure)(?: today| for killer| right now| now)*(?:'s|\sis|\sare|\sstays?|\slies?|\sgoes|\sgo|\spoints?|\sremains?|\sfalls?|\sfell|\srests?|\swould be|:)(?: still| firmly| both| mainly| only)*(?: with| on| upon| at| to| about| over)? <S>",
        denied=(("clear", "none"),),
    ),
    Rule("accuse", rf"<S>(?:{_BE}{_NO}\s|{_LOOK}\s){_ADV}(?P<bad>{_BAD})", denied=(("clear", "none"),)),
    Rule(
        "accuse",
        rf"<S> (?:does(?P<no>n't| not)|do(?:n't| not)) (?:look|seem|sound|feel|read)(?: like| to me| as| all that| that| very| so| too)* {_BAD}",
        denied=(("clear", "none"),),
    ),
    Rule(
        "accuse",
        rf"<S> (?:does|do|did)(?:n't| not) (?:look|seem|sound|feel|read|smell)(?: like| to me| as| all that| that| very| so| too)* (?:{_FINE}|right|well|honest)",
        flat=True,
    ),
    Rule(
        "accuse",
        r"<S>(?:'s|\sis|\sare|\swas)(?: simply| just)?(?:n't| not|\sno| never) (?:\w+ )?(?!a killer|the killer|killers|a wolf)(?:good|innocent|clean|town|honest|trustworthy|on our side|genuine|credible|convincing)\b",
        flat=True,
    ),
    Rule(
        "accuse",
        r"<S> (?:lied|lies|is lying|are lying|has lied|lied to us|keeps lying|has been lying|is a liar|was lying|betrayed|gave (?:himself|herself|themselves) away|slipped|has something to hide|hides something|worries me|bothers me|scares me|troubles me|concerns me|smells|stinks|rubs me|makes no sense|contradicts|is trying to|wants us to|knows too much|knew too much|pretends?|misleads|fooled|plays? (?:us|false|a double)|did it|must answer|has worn out|won't get my trust|lost my trust|has lost my trust)\b",
        denied=(("clear", "none"),),
    ),
    Rule(
        "accuse",
        r"\bI(?:'d)?(?: really| just| still| simply| also)*(?: do| can| could| would| will)?(?:n't| not|not| never) (?:\w+ )?(?:trust|believe|buy|side with|like(?: the (?:look|sound) of)?|rely on)(?: in| a word from| a word of| what)? <S>(?!'s (?:claim|check|report))",
        flat=True,
    ),
    Rule(
        "accuse",
        rf"\b(?:I|I'd|I'll|I would|I do)(?: really| still| can| could| also| do)* (?:think|say|bet|believe|guess|feel|fear|sense|see|find|smell|hear|read|know|call|name|consider|deem)(?: that)?(?: it's| it is| the killer is| a killer (?:in|behind|at)| one (?:killer )?(?:is|in)| evil in| trouble in| danger in| guilt in)? <S>(?:\s(?:as|to be|for|is|are))?\s{_ADV}{_BAD}",
        denied=(("clear", "none"),),
    ),
    Rule(
        "accuse",
        r"^(?:if (?:you|<1>) ask me|for me|to my mind|my answer|mine|in my view|in my opinion|in short|the killer|name)[,:]? (?:it's )?<S>[.!]*$",
    ),
    Rule(
        "accuse",
        r"\b(?:I (?:think|say|bet|guess|'d say|would say)|I'd (?:say|bet)|if you ask me,?)(?: that)?(?: it's| it is| it was| the killer is| the killers are)? <S>(?=\s*(?:[.!,;]|$|for me|to me|in my|and (?:I|that)))",
    ),
    Rule(
        "accuse",
        r"\b(?:a |the |one |another )?(?:killer|wolf|werewolf|danger|enemy|culprit|liar|trouble|guilt)s? (?:in|behind|sits? (?:in|at|on)|hides? (?:in|at)|is|are|here is|has to be|must be|could be|can only be|is surely)(?: certainly| clearly| really| obviously| probably| seat)? <S>(?!'s)",
        denied=(("clear", "none"),),
    ),
    Rule(
        "accuse",
        r"\b(?:something|somethings|sth|plenty|everything|a lot|things?)(?:'s| is| are| was| feels| seems| smells)? (?:off|wrong|fishy|odd|strange|rotten|not right)(?: about| with| in| around)? <S>",
    ),
    Rule(
        "accuse",
        r"\b(?:deduction|logic|evidence|finger|suspicion|reasoning)(?: here)? (?:targets|points to|points at|falls on|leads to|indicates) <S>",
    ),
    Rule(
        "accuse",
        r"<S>(?:'s)?,? (?:persistent |constant |sudden |your |late )*(?:baseless|illogical|suspicious|evasive|erratic|reckless|fallacious)\b(?! of)",
    ),
    Rule(
        "accuse",
        r"<S>[^.?!\ue001-\ue028]{0,25}(?:<1>[^.?!\ue001-\ue028]{0,25})?,? (?:and )?(?:that|which) is (?:just |exactly )?what a (?:killer|wolf|werewolf) (?:would|does)",
    ),
    Rule(
        "accuse",
        r"<S>(?:'s| is)? (?:claim )?(?:is )?(?:a )?(?:fallacy|nonsense|sabotage|prime suspect)\b|\bsuspicious (?:-|—|–)? ?<S>:",
    ),
    Rule(
        "accuse",
        r"\bmy (?:gut|instinct|nose|head|heart|list|money|logic) (?:says|points to|is on|goes to|tells me(?: it's)?|screams) <S>",
    ),
    Rule("accuse", r"\b(?:suspicious|wary|tired|distrustful|afraid) of <S>", denied=()),
    Rule(
        "accuse",
        r"\b(?:bad|uneasy|worse|worst|wrong|terrible|strange|nasty|darker|dark) (?:feeling|vibes?|read|impression|smell|gut feeling|sense)s? (?:about|from|on|of|around|with|with regard to) <S>",
    ),
    Rule(
        "accuse",
        r"\b(?:look at|watch|watch out for|beware of|keep an eye on|be careful with|don't trust|do not trust|never trust|stop trusting|don't believe|do not believe|nobody believe|don't listen to) <S>",
        flat=True,
    ),
    Rule(
        "accuse",
        r"\b(?:case|evidence|everything|my argument|all|it all|arrows?|signs?|trail|logic)(?: here| so far| I have)? (?:against|points? (?:to|at)|leads? to|speaks? against) <S>",
    ),
    Rule(
        "accuse",
        r"<S>(?:'s)? (?:\w+ )?(?:deflection|contradictions?|doubts|defense of \S|speech|story|defence|defense|explanation|voting|behaviou?r|behavior|words|answer|argument|stance|silence|logic|play|reasoning|conduct|tone|claims?|vote|votes|timing)(?:\s\w+){0,2}? (?:is|are|was|were|looks?|seems?|sounds?|feels?|smells?|strikes me as|makes?|raises?|concerns?|bothers?|worries|doesn't|does not|don't)(?: me| us)?(?: as)?(?: very| quite| so| too| highly| really| a bit| a little| more)* (?:suspicious|illogical|shaky|fishy|off|wrong|weak|thin|a lie|lies|odd|strange|inconsistent|false|no sense|questions|red flags?|suspicions?|contradictory|illogical|hollow|me|like an? (?:killer|wolf|lie)|add up|make sense|hold|fit|calculated|forced|rehearsed|convenient)",
    ),
    Rule(
        "accuse",
        r"<S>(?:'s|\sis|\sare)(?: still| now| definitely| also| both)?(?: on)? my (?:\w+ )?(?:\w+ )?(?:suspects?|list|killer|worry|bet|suspicion|guess|wolf|black list|radar)\b",
        denied=(("clear", "none"),),
    ),
    Rule(
        "accuse",
        r"\b(?:nobody|no one|none|not one)\b[^.?!]{0,45}\b(?:more|worse|likelier|less (?:trust|honest)\w*)\b[^.?!]{0,30} than <S>",
        flat=True,
    ),
    Rule("clear", r"<S>(?:'s|\sis) (?:the |our )?(?:police|cop|officer|seer) (?:for me|to me|in my (?:eyes|book))"),
    Rule(
        "clear",
        r"<S>'s? (?:\w+ )?(?:speech|story|defen[cs]e|explanation|vote|votes|voting|words|answer|argument|claim|check|play|tone)(?: \w+){0,2}? (?:is|are|was|sounds?|looks?|seems?|feels?|makes?)(?: me| to me)?(?: very| quite| so| really| pretty)* (?:honest|good|genuine|sincere|credible|clean|sense|convincing|believable|real|innocent|townie)\b",
    ),
    Rule("clear", r"\b(?:it )?(?:can't|cannot|can not|couldn't) be <S>", flat=True),
    Rule("clear", r"\bI'm (?:town|good|innocent|clean)[^.?!]{0,8} (?:and )?so (?:is|are) <S>"),
    Rule("accuse", r"<S>, (?:you(?:'re| are)?|I think you(?:'re| are)) (?:a |the )?(?:killer|lying|liar|wolf|fake)"),
    Rule("accuse", r"\bI (?:suspect|accuse|doubt)(?: that)?(?: both| mainly)? <S>"),
    # Whom he holds for good.
    Rule(
        "clear",
        r"\bI(?:'m|'d| am| do| would| still| really| also| now|'ve| have| will|'ll| can| only| rather| have to| must| just| already| had| happily| fully| completely| personally| tend to| lean to| want to| would like to)* (?:trust(?:ing)?|believ(?:e|ing)(?: in)?|clear(?:ing)?|vouch(?:ing)? for|sid(?:e|ing) with|stand(?:ing)? by|stand(?:ing)? (?:with|behind)|back(?:ing)? (?:up )?|defend(?:ing)?|am with|with|support(?:ing)?|put my hand in(?:to)? the fire for|protecting|rely on|like|comfortable with|inclined to trust|buy|go with|follow)(?: both| in)? <S>(?!'s (?:vote|lead|call)| (?:to|out|gone)\b)",
    ),
    Rule(
        "clear",
        rf"<S>(?:{_BE}{_NO}\s|{_LOOK}\s){_ADV}(?P<fine>{_FINE})(?<!turned out good)(?! (?:at|but|enough|news|sign|point|question|for us|that|to (?:hear|know)|reason|idea|evidence|target|bet|guess|vote|choice|and dead))",
        denied=(("accuse", "none"),),
    ),
    Rule(
        "clear",
        r"<S>(?:'s|\sis|\sare|\swas)?(?: most| probably| surely| certainly| clearly)*(?:n't| not|\sno| never| hardly)(?: be)?(?: really| even)? (?:a |an |the |any |one of the |our |your )?(?:second |real |likely )?(?:killers?|wol(?:f|ves)|werewol(?:f|ves)|mafia|suspect|suspicious|guilty|bad|evil|lying|liar|faking|bluffing|threat|enemy)\b",
        flat=True,
    ),
    Rule(
        "clear",
        r"<S> (?:can(?:'t|not)| cannot|could(?:n't| not)) be (?:a |the )?(?:killer|wolf|werewolf|bad|guilty)",
        flat=True,
    ),
    Rule(
        "clear",
        r"\b(?:I )?do(?:n't| not) (?:think|believe|see|find)(?: that)? <S>(?:'s|\sis|\sare|\sto be|\sas|\sbeing)? (?:\w+ )?(?:a |the )?(?:killers?|wolf|wolves|bad|guilty|suspicious|lying|evil)\b",
        flat=True,
    ),
    Rule("clear", r"\b(?:hands off|leave) <S>(?: alone| be| in peace)?\b(?! (?:tonight|out))", flat=True),
    Rule(
        "clear",
        r"\b(?:I'd|I would|I'll|I want to|let's|we should|we must|please) (?:keep|spare|save|protect)(?: both)? <S>(?! (?:in mind|on))",
    ),
    Rule(
        "clear",
        r"<S>(?: has| have| had| gets?| got| earned| keeps?)+ my (?:\w+ )?(?:trust|vote of confidence|confidence|backing|support|belief)\b",
    ),
    Rule(
        "clear",
        r"\bmy (?:\w+ )?(?:trust|faith|confidence|money|support) (?:is|stays|lies|goes|rests|remains)(?: with| in| on| to)? <S>",
    ),
    Rule(
        "clear",
        r"\b(?:trust|believe|back|listen to|follow) <S>(?=[.!,;]|$| (?:here|on this|today|for now|please|and))",
        denied=(("accuse", "none"),),
    ),
    Rule(
        "clear",
        r"\b(?:take|takes|accept|treat|read|see|mark|put|count|keep|hold|have) <S>(?:'s (?:checks?|claim|word|badge))?(?: down)? (?:as|for|among|to be) (?:the |a |an |our |one of (?:the )?)?(?:real |true |likely |probably |mostly )*(?:police|good|true|clean|town|innocent|real|human|ours|valid|honest|clear|trusted|one)\b",
    ),
    Rule(
        "clear",
        r"<S>(?:'s|\sis|\sfeels|\slooks|\ssounds)(?: likely| probably| surely| most likely)? (?:like )?(?:the real (?:one|deal|thing)|one of (?:ours|us|the good))|\b(?:on|taking|take|I'm on) <S>'s side",
    ),
    Rule(
        "clear",
        r"\b(?:no (?:reason|cause) to (?:doubt|suspect|distrust)|nothing (?:against|bad about|wrong with)|no doubt about|no quarrel with|nothing suspicious about) <S>",
        flat=True,
    ),
    Rule(
        "clear",
        r"\b(?:good|better|best|decent|solid|warm|warmer) (?:feeling|vibes?|read|impression|sense)s? (?:about|from|on|of|with) <S>",
    ),
    # The vote.
    Rule(
        "vote",
        r"\b(?:I(?:'m| am|'ll| will|'d| would| shall| can only| must| have to| still| also| now| therefore| think I will| think I'll| intend to| plan to| want to| am going to|'m going to)*) (?:vote|voting|be voting)(?: today)?(?: for| against| out| to (?:exile|remove|eliminate|execute|kick|take out)| on|:)? <S>",
    ),
    Rule(
        "vote",
        r"(?:^|[,;:.!]\s|(?<!first )(?<!last )(?<!one )\b(?:and|so|then|please|let's|let us|all|everybody|everyone|we|should|must|now|today|to|just|I say|say|can|friends|folks|guys|people|together)[,:]? )(?:all )?(?:vote|voting|votes)(?: together| today)?(?: for| against| out| on|:)? <S>(?! (?:yesterday|last|seems?|is|was|looks|and claim))",
    ),
    Rule(
        "vote",
        r"\b(?:my|the|our|your|all|every|today's|both|their)(?: own| whole)? (?:votes?|ballots?)(?: today| now| should| must| will| can only| is to| then)*(?:'s| is| are| goes| go| going| stays?| belongs?| lands?| falls?| be| on| remains?| rests?|:)*(?: still| therefore)*(?: on| for| to| against| at| with| in|:)? <S>(?! yesterday)",
    ),
    Rule(
        "vote",
        rf"<S>(?: really| simply| clearly| also| now)* (?:(?:has|have|needs|need|ought) to|must|should|will|'ll|can|is to|gets? to) {_GO}(?! (?:through|over|on|last|back|easy|into|along|with))",
    ),
    Rule(
        "vote",
        r"<S> (?:goes|leaves|is out|hangs|walks)(?: (?:today|first|now|out|home|tonight's))?(?=[.!,;]|$| and| then| because| for| before| by)(?!, if)",
    ),
    Rule("vote", r"(?:^|[,;:.]\s|\b(?:and|so|then|it's|with) )<S> (?:today|first|now)(?=[.!,;]|$| and| then| because)"),
    Rule(
        "vote",
        r"\b(?:let's|let us|we should|we must|we need to|I want to|I'd|I say we|I say|time to|we|please|I propose (?:to|we)|I suggest (?:we)?|I'm for|I would|going to|want)(?: all| now| just| finally| simply| today)* (?:vote out|exile|exiling|take out|take|get rid of|kick out|kick|eliminate|remove|execute|throw out|send (?:off|away|home)|send|put out|push out|hang|get|out)(?: out)? <S>(?: (?:out|off|today|away|home|first))?(?! (?:talk|speak|explain|answer|say|to))",
    ),
    Rule(
        "vote",
        r"(?<!his )(?<!her )(?<!their )(?<!your )(?<!'s )(?<![\ue001-\ue028] )\b(?:votes?|ballots?|hands?(?: up)?|everybody|everyone|all)(?: of (?:you|us))?(?: should be| be| please)?(?: together)? (?:on|for|against|onto) <S>",
    ),
    Rule(
        "vote",
        r"<S>(?:'s|\sis|\sgets|\swill get|\shas|\sget)(?: still| also)? my (?:vote|ballot|choice(?: for today)?|vote today)\b",
    ),
    Rule(
        "vote",
        r"\b(?:I(?:'m|'ll| am| will)?|I'd) (?:stay(?:ing)?|stick(?:ing)?|go(?:ing)?|remain)(?: with my vote)? (?:on|for|with|against) <S>(?=[.!,;]|$| today| for)",
    ),
    Rule(
        "vote",
        r"(?<!his )(?<!her )(?<!their )(?<!your )(?<!'s )(?<![\ue001-\ue028] )(?<!first to )(?<!last to )(?<!one to )\b(?:vote|votes|ballot|hand|hands|my call|my choice|the call|one target|the target|target for today|today's result|one try|mine|everyone|everybody|lock it in|for today|commit|exile|aim)\b(?![^.?!]*\b(?:yesterday|voted|day \d)\b)[^.?!\ue001-\ue028]{0,38}?(?:\b(?:on|for|to|against|at|with|is|it's|be|next to|stands on|belongs on|onto)|:|(?<=target),|(?<=choice),|(?<=call),|(?<=result),|(?<=today),|(?<=everyone),) <S>(?=[.!,;]|$| (?:today|now|with|and|for|because|since|then))(?! (?:and )?(?:yesterday|last))",
    ),
    Rule(
        "vote",
        r"<S>(?: it is|, goodbye|, that's where I vote|,? that's my vote|, you have my vote|, and that's my vote|[,:]? my vote|,? no regrets)(?=[.!,;]|$)|\bit's <S>, (?:everyone|everybody|all|friends)|\bI want <S> (?:gone|out)\b|\b(?:follow me|come with me|join me|with me|aim|all aim) (?:on|at|against) <S>",
    ),
    Rule(
        "vote",
        r"\bnothing (?:keeps|stops|can keep|can stop|will keep) me from (?:voting|a vote)(?: for| on| against)? <S>",
        flat=True,
    ),
    Rule(
        "vote",
        r"\bput me down for <S>|\bI(?:'m| am) on <S>(?=[.!,;]|$| (?:today|now|with|too))|\bit's <S> I want (?:gone|out)|\b(?:eliminate|exile|execute|vote out|remove)[^.?!\ue001-\ue028]{0,28} like <S>|<S>,? (?:you|<1>) have my vote|\bvote for any\w* it's <S>",
    ),
    Rule(
        "vote",
        r"\b(?:I'm calling|I call|pile on|gather(?: all)? on|join (?:up |us |me |in )?on|follow me on|together on|majority on|weight on|everything on|all on|bring|lead you to|exile) <S>(?=[.!,;]|$| (?:now|today|down|and|or|for|quickly|with))|^first <S>|<S>,? (?:full table|for all of us|for everybody|for everyone|and let it be unanimous|out, nobody)",
    ),
    Rule(
        "vote",
        r"(?:^|[,;]\s|\band |\bto |\bI'd |\bI )(?:get|take|throw|kick|put|send|vote) <S> (?:out|off|away|home)\b",
    ),
    Rule("vote", r"\b(?:out with|off with|away with|down with) <S>"),
    Rule(
        "vote",
        r"\bmy (?:vote|ballot|hand)(?:'s)?(?: \w+)?,? <S>|\bI (?:raise|put up|lift) my hand (?:for|against) <S>|\bI put my vote (?:on|to|against) <S>",
    ),
    Rule("vote", r"\b(?:I(?:'ve| have)?) (?:decided|settled)(?: on| for| against) <S>|\bit stays (?:with|on|at) <S>"),
    # Questions that need no question mark.
    Rule("ask", r"\b(?:a |my |one |another )?question (?:for|to) <S>"),
    Rule(
        "ask",
        r"\bI(?:'d| would| want| need| wish|'m| am| have|'ll| do| must| will| now| still| really| also| like| love)*(?: to)? (?:ask|hear|asking|hear from|hear it from|know from|demand|expect|like|want|see|waiting for|wait for)(?: now)?(?: from| to hear| an answer from| an explanation from| a word from)? <S>(?: (?:to|on|about|explain|say|why|what|how|whom|who|tell|answer|whether|go over|speak|talk|commit|name|first|again|directly|now|myself)|[,:])",
    ),
    Rule(
        "ask",
        r"\b(?:let me ask|question goes to|over to|passing the ball to|the ball to|curious about|I wonder what|the floor to|I turn to|hear from|sentence from|word from|answer from|opinion from|explanation from) <S>",
    ),
    Rule("ask", r"\b(?:let|make) <S> (?:explain|answer|tell|speak|talk|say|justify)"),
    Rule(
        "ask",
        r"<S>(?: now)? (?:owes? (?:us|me|the table)|should|has to|needs to|must|ought to|can|may|could|please|will have to) (?:an? |the )?(?:explain|answer|explanation|tell|say|justify|account|speak up|name|reason|reply|clarify|respond|give (?:us|me)|show|prove)",
    ),
)

RECORD = (
    RecordRule(
        "voted",
        r"(?P<by>(?:<1>(?:, (?:and )?| and | & )?)+|\bI|\byou)(?:'ve| has| have| had| all| both| also| only| then| even| once| just| already| yesterday| too|,)* (?P<no>(?:never|didn't|did not|hasn't|haven't|won't|will|would|should|must|not) )?voted(?: yesterday| last time| again| twice| today| first| both times| on day \w+)*(?: for| against| to (?:exile|remove|eliminate)| out| on| with \S against)? (?P<seat><1>|me\b)",
    ),
    RecordRule(
        "voted",
        r"(?P<by><1>)(?: was| were| is)? (?:the )?(?:first|only one|last|quick|one|ones|among those)(?: of us| here)? (?:to vote|who voted|voting) (?:for |against |out )?(?P<seat><1>|me\b)",
    ),
    RecordRule(
        "voted", r"(?P<by><1>) and I (?:both |also |all )?voted(?: yesterday)? (?:for |against |out )?(?P<seat><1>)"
    ),
    RecordRule(
        "voted",
        r"\b(?:did|had|has|have)(?P<no>n't| not)? (?P<by><1>|I)(?: really| also| ever)* vote[d]?(?: yesterday)?(?: for| against| out| on)? (?P<seat><1>|me)",
    ),
    RecordRule(
        "voted",
        r"(?P<by><1>)'s (?:\w+ )?votes? (?:yesterday )?(?:on|for|against|went to|was on|was for|hit|at|landed on|fell on) (?P<seat><1>|me)",
    ),
    RecordRule(
        "voted",
        r"\b(?P<by>my|your) (?:\w+ )?vote (?:yesterday |last time |on day \w+ )?(?:went to|was on|was for|hit|landed on|fell on) (?P<seat><1>|me\b)",
    ),
    RecordRule(
        "voted",
        r"(?P<by><1>)(?: has| had)? (?:put|cast|placed|gave|threw|spent)(?: yesterday)? (?:his|her|their|the|a) (?:votes?|ballot)(?: yesterday)?(?: to| on| for| against| at)? (?P<seat><1>|me\b)",
    ),
    RecordRule(
        "voted",
        r"(?P<by>\bI)(?: have)? (?:put|cast|placed|gave|threw|spent) my (?:vote|ballot)(?: yesterday)?(?: to| on| for| against| at)? (?P<seat><1>)",
    ),
    RecordRule(
        "voted",
        r"(?P<by><1>)(?: was| stood| were)? (?:on|against) (?P<seat><1>|me) (?:yesterday|in the vote|on day \w+|last time)",
    ),
    RecordRule(
        "voted",
        r"(?<!place )(?<!cast )(?<!put )(?<!state )(?<!change )(?P<by><1>)(?:'s)?(?: the| old| own| (?!not\b|will\b|should\b|must\b|would\b|to\b)\w+)? votes? (?:for|on|against) (?P<seat><1>|me\b)",
    ),
    RecordRule("voted", r"(?P<by><1>)'s hand (?:going|went|was|being)(?: up)? (?:for|against|on) (?P<seat><1>|me\b)"),
    RecordRule("voted", r"(?P<by><1>), you voted (?:for |against |out |on )?(?P<seat><1>|me\b)"),
    RecordRule(
        "died",
        r"(?P<seat><1>(?:(?:,? and |, )<1>)*)(?: has| have| was| were|'s| is| got| had)? ?(?P<no>not |n't )?(?:died|dead|killed|murdered|shot dead|found dead|fell|dropped|attacked|taken|gone|lost)(?: by the killers)?(?: that| on| in| during| the| last| at| this)* (?:night|morning|dark)",
    ),
    RecordRule(
        "died",
        r"(?P<seat><1>(?:(?:,? and |, )<1>)*)(?: has| have| was| were| got| had) (?:died|been killed|killed|murdered|attacked|needled to death|found dead)(?! (?:by vote|in the vote))",
    ),
    RecordRule("died", r"(?P<seat><1>)(?: simply)? died\b(?! (?:by|in) (?:the )?vote)"),
    RecordRule(
        "died",
        r"\b(?:last night|the night|night (?:\d|one|two|three|four|five)|the dark|the killers|they)(?: has| have)? (?:took|killed|cost us|claimed|murdered|got|shot|ate|attacked|hit|chose|picked)(?: us)? (?P<seat><1>(?:(?:,? and |, )<1>)*)",
    ),
    RecordRule(
        "died",
        r"\b(?:we|the table) lost (?P<seat><1>(?:(?:,? and |, )<1>)*)(?: to the (?:night|killers)| last night| in the night| at night| overnight)",
    ),
    RecordRule("died", r"\b(?:the )?(?:death|murder|killing|loss) of (?P<seat><1>)|(?P<seat2><1>)'s death"),
    RecordRule(
        "out",
        r"(?P<seat><1>(?:(?:,? and |, )<1>)*)(?: has| have| was| were| got| had| is)?(?: just| already| been| being)* (?P<no>not )?(?:voted out|voted off|exiled|executed|banished|eliminated|thrown out|sent (?:off|home|away)|went out|left us|put out|kicked out|pushed out|out by (?:the |our )?vote|left by (?:the )?vote)",
    ),
    RecordRule("out", r"(?P<seat><1>),? (?:the |a )?[^,.?!\ue001-\ue028]{2,15}, (?:went out|was voted out|left)"),
    RecordRule(
        "out",
        r"\b(?:we|you|they|the table|everybody|the vote|yesterday's vote|the village|who) (?:have |had |all |just |already |then |wrongly |also )?(?:voted out|voted off|exiled|executed|banished|threw out|eliminated|removed|kicked out|hanged|sent (?:off|home|away)|took out|got rid of) (?P<seat><1>(?:(?:,? and |, )<1>)*)",
    ),
    RecordRule(
        "out",
        r"\b(?:we|you|they|the table|the vote) (?:have |had |just )?(?:voted|sent|threw|took|put|kicked|pushed) (?P<seat><1>) (?:out|off|home|away)\b",
    ),
    RecordRule(
        "out", r"\b(?:after|since|because|when) (?P<seat><1>)'s? (?:exile|execution|vote-out|elimination|left by vote)"
    ),
    RecordRule(
        "claimed",
        r"(?P<by><1>(?:(?:, (?:and )?| and )<1>)*)(?: has| had| have| both| all| just| already| also| only| then| now| first| on day \w+| himself| herself|,)*\s?(?P<no>(?:never|didn't|hasn't|not) )?(?:claims?|claimed|whispered|says|said|tells us|told us|swears|insists|declared|declares|announced|maintains|pretends|pretended|is claiming|was claiming)(?: now| himself| on day \w+| that| openly| to have been| to be| to be| being| again)*(?: (?:he|she|they)(?:'s| is| was| are)?| (?P=by)(?:'s| is| was)| I am| I'm|,? \"?I'm|,? \"?I am)?(?: really)?(?: the| a| an| to be the| to be| our| your| as)*(?: real| true| only| other| plain| second)* <C>\b",
    ),
    RecordRule(
        "claimed",
        r"(?P<by><1>)(?: has| had| have| just| already| also| then|,)* (?P<no>(?:never|didn't|hasn't|not) )?(?:came out|come out|comes out|is out|counter-?claim(?:s|ed)|counter(?:s|ed)|co'?d|co-ed|revealed|reveals|claimed|went public)(?: as| to be)?(?: the| a)*(?: real| true| only| other)*(?: (?:police|cop|officer|seer|doctor|sniper|butterfly|elder|civilian|villager))?(?=[.,;!?]|$| on| yesterday| today| first| before| after| last| so| in| late| only| and| as| when| at| too| while)",
    ),
    RecordRule(
        "claimed",
        r"(?P<by><1>)'s (?:\w+ |so-called |own )?(?:police |cop |seer |doctor |sniper |role |fake |false |real |sudden |early |late )*(?:claim|claims|co|coming out|reveal)\b(?! (?:on|about|that|against|of) )",
    ),
    RecordRule(
        "claimed",
        r"(?P<by><1>)(?: has| had| have| just| already| also| then| only|,)* (?P<no>(?:never|didn't|hasn't|not) )?(?:says|said|claims|claimed|tells us|told us|reports|reported|announced|swears|insists|tells you|told you)(?: us| to have| that| of| about| now| now that)*(?: (?:he|she|they|<1>|I))?(?: has| have| had|'s)? ?(?:checked|check on|check of|divined|investigated|a check on|examined|inspected|looked at|found|needled|saved|shot|carried|silenced)(?: on| by check)? (?P<seat><1>|me)",
    ),
    RecordRule(
        "claimed",
        r"(?P<by><1>)(?: has| had| have| says (?:he|she)| just| already| also| then| only)* (?:checked|divined|investigated|examined|inspected) (?P<seat><1>|me\b)",
    ),
    RecordRule(
        "claimed",
        r"(?P<by><1>)'s (?:\w+ )?(?:check|guilty|clear|green|red|report|result|clean check|killer check|divination|clean|claim|seer white result|white result|black result)(?: (?:on|of|about|for|against|says|that says|that|shows|showed|was|is|named|calls?|cleared|clears))+ (?P<seat><1>|me)",
    ),
    RecordRule(
        "claimed",
        r"(?P<by><1>)(?: has| had)? (?:gave|gives|given|put|has) (?P<seat><1>|me) (?:as )?(?:a |the |an )?(?:guilty|clear|green|red|clean|good check|killer check|clean check|white|black)",
    ),
    RecordRule(
        "claimed",
        r"(?P<by><1>)(?: has| had| claims| claimed| is claiming| reports| reported| announced)? (?:a |an |the )?(?:guilty|green|red|clean check|clear|killer check|check) on (?P<seat><1>|me)",
    ),
    RecordRule(
        "claimed",
        r"(?P<by><1>)(?: has| had)? (?:says|said|reports|reported|claims|claimed|called|calls|tells us|told us|announced)(?: that| by check)* (?P<seat><1>|me)(?:'s|\sis|\swas|\sas)?(?: checked| by check)? (?:a |an |the )?(?:killer|guilty|clean|good|innocent|green|red)(?: by| on| from)(?: his| her| their| a)? check",
    ),
    RecordRule(
        "claimed",
        r"\b(?:the|that|this) (?:check|guilty|report|clear|green|red) (?:by|from|of) (?P<by><1>) (?:on|of|about|against) (?P<seat><1>|me)",
    ),
    RecordRule(
        "claimed",
        r"(?P<seat><1>|\bI)(?: was| is|'s|'m|\sam)? (?:checked|cleared|reported|called a killer|divined|checked good|checked clean|named a killer)(?: good| clean| guilty| as a killer| killer)? by (?P<by><1>)",
    ),
    RecordRule(
        "claimed",
        r"(?P<seat><1>|\bI)(?: has| have|'ve)? (?:got|gets|received|has|have) (?:a |an |the )(?:guilty|clear|green|red|clean check|killer check|check) from (?P<by><1>)",
    ),
)

WORDS = Words(
    between=r"(?: and (?!\S(?: is|'s| was| looks?| has| must| should| voted| sounds))| & |,? as well as |/| plus |, (?=\S(?:, \S)*,? (?:and|&) [\ue001-\ue028]))",
    either=r"(?:one of|either|between|among|amongst|one (?:killer )?(?:in|from|out of|is in)|which of|whichever of|torn between|choose from|it's|\bof) <1>(?:(?:,? (?:and|or) |, )<1>)+(?: too|,? either)?|<1>(?:, <1>)*,? (?:or|and|/) <1>,? (?:\w+ )?(?:one|either|there is one|between (?:them|those)|one of (?:them|the two)|is one|a killer between)|<1>(?:, <1>)*,? or <1>",
    cards=_CARDS,  # type: ignore[arg-type]
    results=_RESULTS,  # type: ignore[arg-type]
    rules=RULES,
    record=RECORD,
    own=r"i|me|my|myself",
    pronouns=r"\b(?P<p>that player|this player|he|she|him|her(?! own)|his|you(?! all| guys|'re all| know| see)|your)\b",
    addressed=r"you|your",
    clause=r"[,;:]\s|\s[-–—]+\s|—|\.{3}|…|\s(?=but\s)|\s(?=(?:because|since|although|though|while|whereas|so)\s)|\s(?=and (?:I|I'm|I'll|my|that|he|she|we|let's|it)\b)",
    asked=r"\?[\"')\s]*$",
    asking=r"\s*(?:and |so |but |well |then |or )?(?:who|whom|what|why|how|where|when|which|is|are|was|were|do|does|did|has|have|had|can|could|would|will|should|if|isn't|aren't|don't|didn't|doesn't)\b",
    vocative=r"^(?:and |so |but |now |well |okay |hey |right |look |listen |tell me |say |come on |please |to |for )?,?\s?<1>(?=[,:]| -| —)|[,;:]\s<1>(?=[,?.!:]|\s*$)|^<1>(?=\s<1>)|^<1> (?=(?:did|do|does|what|why|who|whom|how|where|can|could|would|will|are|is|were|tell|explain|please|answer|say|speak|talk|name|give|state|share|report|place|deliver|provide|commit|declare|reveal|cast)\b)|^(?:@)?<1>(?=\s(?:you|your|who|what|why|how)\b)|^(?:why|what|how|when|where|who|whom|which|did|does|do|is|are|was|were|has|have|can|could|would|will)\b[^?]{0,20}?\b(?:did|does|do|is|are|was|were|has|have|can|could|would|will|should) <1>(?= (?:vote|voting|say|think|suspect|trust|want|know|believe|accuse|check|defend|push|claim|keep|explain|tell|stay|get|need|going|so|really|do|not|ever|now|still|change|come|wait|hide|mean|see|find|have|lie|you)\b)",
    demand=r"^(?:\W|\w+, )*(?:<1>[,:]?\s)(?:please )?(?:state|share|report|place|deliver|provide|commit|declare|reveal|cast|prove me|don't|do not|pretend|pick|put|help|bring|draw|find|be|let|make|push|take|choose|read|look|two names|one name|your|tell|explain|say|speak|talk|answer|name|give|show|prove|convince|let us|let me|I'd like|I want|I need|your turn|you (?:should|must|have to|need to|owe|still owe)|do tell|defend|justify|commit|whom|who|what|why|how|where|stop|walk|clear|account|come)\b|\b(?:tell us|tell me|explain (?:yourself|that|your|it|why)|answer me|speak up|talk to (?:us|me)|let's hear|say something|show us|convince me|prove it|prove (?:me|us) wrong)\b",
    denial=r"(?:\b(?:not|never|no|nobody|neither|nor|without|hardly|cannot|stop|refuse to|refusing to|won't|instead of|far from|no one|rather than|doubt(?: that| if| whether)?|deny(?:ing)?(?: that)?|no longer|nothing|no reason to|no way)|n't)(?:\s(?:should|must|would|will|can|could|needs to|has to|may|really|think|believe|say|that|to|be|a|an|the|saying|thinking|want|going|claim|claiming|mean|see|you|I|we|it's|it|is|single|ever|even|any|going to|know|all|us|telling|have|of|convinced|sure|yet|feel|bring|myself|\w+ing|vote|just|only|my|because|with|for)){0,4}\s*$",
    unsaid=r"\b(?:say|said|saying|claim|claimed|tell|telling|told|nobody|no one)\b",
    affirmed=r"\bnothing (?:keeps|stops|can keep|will keep) me from\b|\bno doubt(?! (?:that )?(?:it|he))|\bnot only\b|\bwhy (?:not|don't we)\b|\bcan't (?:help|but)\b|\bnot just\b|\bno question\b|\bno,|\bno wonder\b|\bdon't (?:forget|get me wrong|mind|worry|you see)\b|\bnever mind\b|\bnot sure about you\b",
    hypothesis=r"^say (?:that )?<1>|\b(?:if|suppose|supposing|assuming|assume|imagine|unless|in case|had I|were I|provided|what if|say for a moment|let's pretend|pretend|should \S turn|would have|I'd have|would've|otherwise)\b",
    open=r"\bif (?:(?:you|<1>) ask me|nobody objects|no (?:strong )?(?:counter-?claims?|objections?)|I vote for any\w*|you're good|no one objects|nobody minds|I may|I have to|I must|you like|you want|that's all|you'll excuse|anything|needed|need be|everyone agrees|everybody agrees|I'm honest|I'm being honest|there are no|not already|nothing (?:changes|else|new)|pushed|pressed|forced)|\bif any\b|\bas if\b|^\s*(?:so )?see if\b|\bask if\b|\bwonder if\b",
    conceded=r"\b(?:even if|whether)\b",
    quotation=r"(?:<1>|\b(?:he|she|they|you|people|somebody|someone|everybody|everyone|some|others|who|nobody|rumou?r|the table|both))(?:'s| has| have| had| just| also| only| already| now| then| keeps?| kept| still| all| both| once| even| first| yesterday| again| will| would| wants? us to| himself| herself| of you)* (?<!'s )(?:say(?:s|ing)?(?!,? I)|said|claim(?:s|ed|ing)?|tell(?:s|ing)? (?:us|me|you|everybody|the table)|told (?:us|me|you|everybody|the table)|think(?:s|ing)?|thought|report(?:s|ed|ing)?|insist(?:s|ed)?|whisper(?:s|ed)?|shout(?:s|ed)?|mumble[sd]?|swear(?:s|ing)?|swore|call(?:s|ed|ing)?|suspect(?:s|ed|ing)?|believ(?:es?|ed|ing)|accus(?:es?|ed|ing)|announce[sd]?|argue[sd]?|want(?:s|ed)?|suggest(?:s|ed)?|maintain(?:s|ed)?|declare[sd]?|assume[sd]?|push(?:es|ed)?|trust(?:s|ed)?|doubt(?:s|ed)?|clear(?:s|ed)|point(?:s|ed) (?:at|to)|vote[sd]|checked|divined|investigated|found|wrote|shout(?:s|ed)?|repeat(?:s|ed)?|paint(?:s|ed)?|den(?:y|ies|ied)|admit(?:s|ted)?|defend(?:s|ed)?)\b|<1>'s (?:\w+ )?(?:claim|check|report|word|words|story|theory|version|guilty|clear|opinion|result)s?(?: is| was)? (?:that|on|of|about|says)\b|\baccording to \S+|\bby <1>'s (?:logic|account|own words|words|reasoning)|\b(?:the|this|that|my|his|her) (?:word|sentence|phrase|line|claim|story|idea|theory|rumou?r|question) (?:that|of|is that|about)\b|\bin (?:his|her|their|<1>'s) words\b|\bquote\b",
    resumed=r"(?!\s*and I'm\b)\s*(?:and |so |but |yet |still |then |well |which |that |therefore )?(?:I|I'm|I'll|I've|I'd|my|me|we|let's|vote|but|so|today|for me|to me|which)\b",
    irony=r"\b(?:how very convenient|well done)[.!]*$|^(?:lovely story|nice story|great story|oh,? (?:sure|right|yes|of course|great|wonderful|how|what|please|come on)|ah,? (?:sure|yes|of course|the)|sure,|sure thing|right,|yeah,? (?:right|sure)|of course,|how (?:convenient|lovely|touching|sweet|brave|nice|kind|noble|clever|handy|very)|what an? (?:surprise|coincidence|hero|saint|angel|brave|lovely|wonderful|noble|miracle|shock|relief|treat|genius|gem|friend)|bravo|well done|congratulations|naturally,|poor (?=<1>)|(?:just|simply) (?:perfect|wonderful|great)|lucky us|thank (?:you|goodness)|thanks,? <1>|silly me|my hero|nice try)|\b(?:and I(?:'m| am) (?:the )?(?:queen|king|pope|santa|father christmas|emperor)|yeah right|as if\b|such an angel|(?:is|a) (?:an angel|saint|the saint|an absolute angel|pure as|innocent as a|a lamb)|because (?:that|it) (?:always )?(?:worked|works) so well)",
    touching=r"\b(?:could|can|may|might|would) <1> (?:really |still )?be\b|\b(?:call|accuse|suspect|doubt|believe|trust) me\b|<1>(?:'s| is)? telling the truth|\b(?:is|are|was|were|isn't|aren't|wasn't) <1>(?:'s)? [^?]{0,25}?\b(?:<card>|bad|good|lying|real|fake|innocent|clean|honest|cop|with)\b|<1>(?:'s|\sis|\sare|\sas|\swas|\swere)\b[^?]{0,30}?(?:<card>|bad|lying|good|real|fake|innocent|clean|suspicious)\b|\b(?:suspect|trust|vote|doubt|believe|check|checked|accuse|save|needle|shoot|carry|silence|push|clear)(?:d|ed|ing)?(?: for| out| on| against)? <1>|\bI (?:were|was|am|had been|'m) (?:the |a )?<card>|\bI been (?:the |a )?<card>",
    another=r"\b(?:you|they|he|she|everybody|everyone|somebody|people)(?: \w+)? (?:think|believe|say|said|see|call|suspect|want|know|asked|ask|decide|hear|take|thinks|believes|says|calls|assume|treat)\w*\b(?! me\b.{0,8}\bbut)|<1> (?:thinks|believes|says|said|calls|called|claims|knows|wants|suspects)",
    reports=r"\b(?:my|both|two|three|all my) (?:\w+ )?checks\b|\bchecks?:|\bhere's (?:a|my|the) result|\bmy result\b",
    shown=r"\b(?:turned out|turns out|was shown|flipped|came up as|went out as|was revealed|proved to be)\b",
    negative=r"n't|\bnot?\b|\bnever\b|\bcannot\b|\bnothing\b|\bnobody\b|\bhands off\b",
    bad=r"^(?!.*\b(?:turned out|turns out|was (?:a|the)|went out|were|gone as|shown|is dead|no doubt|as a killer|a checked|the word)\b).*?\b(?:doubts?|doubtful|suspicions?|suspect(?:ing)?|distrust|mistrust|suspicious|wrong|lies?|lying|liars?|fakes?|fake[sd]?|impostor|itch|worr(?:y|ies|ied)|bother(?:s|ed)?|killers?|wolf|wolves|werewolf|guilty|pressure|threat|fishy|shady|slippery|evasive|dodg(?:es|ed|ing)|crooked|hiding|hides|hollow|contradict\w*|pushed too|must answer|to explain|has to answer|uneasy|uncomfortable|alarm\w*|red flags?|caught my eye|smells?|stinks?|rotten|false|falsest|blame|worst|weakest|at the top|top of my list|high on my list|go after|worth a push|goodbye|too sure|knows? too much|convenient|calculated|rehearsed|in a hurry|strange|odd|unconvincing)\b|doesn't add up|don't like",
    fine=r"^(?!.*\b(?:turned out|turns out|was|went out|were|trusted|could be|may be|might be|over)\b).*?\b(?:trust(?:ed)?|believ(?:e|able|ed)|innocent|credible|sincere|genuine|protect(?:ed)?|vouch|makes? sense|sense in|convinc(?:ed|ing)|reasonable|well argued|helpful|on our side|deserves? (?:a hearing|trust|better)|clean|human|town|let \S be|spare|keep \S|right about|is right|stand by|side with|can live with|good player|cleared?)\b",
    checked=r"\b(?:I (?:went for|looked closely at|put \S to the test|needed only one check|cleared|found out about|found a killer|picked|was curious about)|by check|the check (?:says|I spent)|(?:judge's|the) (?:sign|result) on|my (?:result|check) for|my (?:own )?(?:\w+ )?checks?|I (?:\w+ )?(?:checked|used (?:a|my) check|asked the judge|pointed (?:at|to))|checked (?:last night|on night|by me)|(?:the )?judge (?:told|gave|showed|answered|nodded|shook)(?: me)?|check on|among my checks|checks? last night|wasted check|the one to check|from a check|report:|the answer (?:for|on|about)|I know \S+ side from)\b",
    own_check=r"\b(?:I|I've|my|me|mine|we|judge|thumbs?)\b(?! (?:think|believe|trust|hear|heard|guess|suppose|doubt|know|agree))[ \w']{0,12}|^(?:checked|report|result|checks?)\b|\b(?:last night|(?:on )?night \w+|nights|\w+ night)\b",
    plain_check=r"(?!)",
    retraction=r"\b(?:I(?:'d| would| want to| have to| must| hereby|'ll| will|'m| am| now| do| need to)* (?:retract|take (?:it|that|this|all of it|all that|everything|my \w+) back|take back|taking (?:it |that |my \w+ )?back|withdraw(?:ing)?|revoke|recant|unclaim|take back)|(?:forget|scrap|scratch|ignore|strike|disregard|cancel|drop|delete|erase|throw out|bin) (?:what I|everything I|all I|that claim|my (?:\w+ )?(?:claim|check|words|story|vote|accusation|report|statement)|the (?:claim|check|story) I|that, I|that\b|it\b)|(?:my|that|the) (?:\w+ )?(?:claim|check|story|report)s? (?:of mine |(?:on|about|against|of) \S+ )?(?:was|were|is) (?:fake|false|made up|invented|a bluff|a lie|a bait|bait|a test|a trap|off the table|withdrawn|off)|I (?:just |only |simply )?(?:made (?:that|it|this|them|the \w+|my \w+|all that) up|made up|invented (?:that|it|the|my)|was (?:bluffing|lying|joking|only joking|just testing|baiting)|bluffed|lied|had to fake|faked (?:it|that|the|my)|was wrong (?:about|on) (?:him|her|<1>|that)|claimed (?:a )?fals\w+ )|I originally claimed a false|I (?:am|'m) (?:not|no longer) (?:standing by|claiming)|consider (?:my|that) (?:\w+ )?(?:claim|check|words) (?:withdrawn|gone|void))",
    correction=r"<1>(?P<mid>,? ?(?:-|–|—|\.\.\.|…)?\s?(?:(?:ah|oh|eh|uh|er|um|hm|no|wait|sorry|pardon|excuse me|I mean|I meant|correction|rather|make that|scratch that|strike that|my mistake|my bad|slip of the tongue|that is|or rather|not \S|hold on|wrong number)(?:[,.!;:]|\s[-–—])?\s?){1,5}(?:(?:I mean|I meant|it's|it was|that's|that was|make that|for|on|to|against|about|is|was|at|voted|checked|needled|shot|carried|silenced|suspect|trust|make it|I|it)[,:]?\s){0,3})(?P<new><1>)",
    later=r"\b(?:yesterday|on day \w+|last (?:round|time)|tomorrow|next (?:day|round|time|vote)|tonight|later|in the next|the day after)\b",
    put_off=r"\b(?:tomorrow|tonight|next (?:day|round))\b",
    nights=r"\b(?:n(?:ight )?(?P<n>\d|one|two|three|four|five|six)|(?:the )?(?P<n2>first|second|third|fourth|fifth) night|last night(?P<n3>))",
    results_after=70,
    night_words={
        "one": 1,
        "two": 2,
        "three": 3,
        "four": 4,
        "five": 5,
        "six": 6,
        "first": 1,
        "second": 2,
        "third": 3,
        "fourth": 4,
        "fifth": 5,
    },
)
