/* clang.cc -- clang's front end, as a part of linchpin-fe.
 *
 * As in clang's own main(), the driver turns the command into that of one job, clang -cc1, and the words of this job become a
 * compiler instance.  The code generator is used without clang's back end, which would only write the bitcode, because of
 * -disable-llvm-passes.
 */
#include "frontend/ir/clang.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/Stack.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Driver/Tool.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/TextDiagnosticBuffer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Frontend/Utils.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Path.h>
#include <llvm/TargetParser/Host.h>

using namespace clang;

namespace {

using Words = llvm::SmallVector<const char *, 64>;

/* Makes bitcode, in memory, or in the file that the command names if there is no memory for it. */
class Emit : public ASTFrontendAction {
public:
	explicit Emit(llvm::SmallVectorImpl<char> *own) : memory(own)
	{
	}

protected:
	std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &instance, llvm::StringRef file) override
	{
		if (memory)
			out = std::make_unique<llvm::raw_svector_ostream>(*memory);
		else if (!(out = instance.createDefaultOutputFile(true, file, "bc")))
			return nullptr;
		generator = CreateLLVMCodeGen(instance.getDiagnostics(), file, &instance.getVirtualFileSystem(),
					      instance.getHeaderSearchOpts(), instance.getPreprocessorOpts(),
					      instance.getCodeGenOpts(), context);
		return std::unique_ptr<ASTConsumer>(generator);
	}

	/* There is no module if an error was reported. */
	void EndSourceFileAction() override
	{
		if (const llvm::Module *module = generator ? generator->ReleaseModule() : nullptr)
			llvm::WriteBitcodeToFile(*module, *out, getCompilerInstance().getCodeGenOpts().EmitLLVMUseLists);
		out.reset(); /* the instance closes the file next */
	}

private:
	llvm::SmallVectorImpl<char> *memory;
	llvm::LLVMContext &context = *new llvm::LLVMContext; /* left to the end of the process, with the module */
	std::unique_ptr<llvm::raw_pwrite_stream> out;
	CodeGenerator *generator = nullptr; /* the consumer, which the compiler instance owns */
};

/* Lists the functions and public methods that are declared outside of the system's headers: a line each (clang.h). */
class Declare : public ASTFrontendAction {
public:
	explicit Declare(llvm::raw_ostream &to) : out(to)
	{
	}

protected:
	std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, llvm::StringRef) override
	{
		return std::make_unique<Consumer>(*this);
	}

private:
	struct Consumer : ASTConsumer {
		explicit Consumer(Declare &own) : declare(own)
		{
		}
		void HandleTranslationUnit(ASTContext &context) override
		{
			declare.list(context, context.getTranslationUnitDecl(), "");
		}
		Declare &declare;
	};

	/* v: nothing, b: truth, i: integer (also what a template leaves open), p: pointer, f: function, o: another. */
	static char sort_of(QualType type)
	{
		if (type->isVoidType())
			return 'v';
		if (type->isBooleanType())
			return 'b';
		if (type->isIntegralOrEnumerationType() || type->isTemplateTypeParmType())
			return 'i';
		return type->isFunctionType() ? 'f' : type->isPointerType() || type->isReferenceType() ? 'p' : 'o';
	}

	/* Its text, its sort, and the same of what it points to; "const" if that cannot be changed. */
	void put_type(const ASTContext &context, QualType type)
	{
		const PrintingPolicy policy(context.getLangOpts());
		const QualType to = type->getPointeeType();

		out << '\t' << type.getUnqualifiedType().getAsString(policy) << '\t' << sort_of(type);
		out << '\t' << (to.isNull() ? "-" : to.getUnqualifiedType().getAsString(policy));
		out << '\t' << (to.isNull() ? '-' : sort_of(to)) << '\t'
		    << (type->isReferenceType() ? to.isConstQualified() ? "const&" : "&" :
			!to.isNull() && to.isConstQualified() ? "const" : "-");
	}

	void put(const ASTContext &context, const FunctionDecl *f, const std::string &owner)
	{
		const SourceManager &sources = context.getSourceManager();
		const PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(f->getLocation()));

		if (place.isInvalid() || f->isVariadic() || f->isImplicit() || !f->getDeclName().isIdentifier())
			return;
		out << place.getFilename() << '\t' << place.getLine() << '\t' << (owner.empty() ? "-" : owner) << '\t'
		    << (owner.empty() ? f->getQualifiedNameAsString() : f->getNameAsString());
		put_type(context, f->getReturnType());
		for (const ParmVarDecl *p : f->parameters()) {
			out << '\t' << (p->getName().empty() ? "-" : p->getName());
			put_type(context, p->getType());
		}
		out << '\n';
	}

	/* A class with the parameters that are types being integers; "" if it has others. */
	static std::string name_of(const ClassTemplateDecl *t)
	{
		std::string name = t->getQualifiedNameAsString() + "<";
		bool first = true;

		for (const NamedDecl *p : *t->getTemplateParameters()) {
			const auto *type = dyn_cast<TemplateTypeParmDecl>(p);
			if (type && type->hasDefaultArgument())
				break;
			if (!type || type->isParameterPack())
				return "";
			name += first ? "int64_t" : ", int64_t";
			first = false;
		}
		return name + ">";
	}

	void list_class(const ASTContext &context, const CXXRecordDecl *c, const std::string &name)
	{
		if (!c || !c->isThisDeclarationADefinition() || name.empty())
			return;
		for (const CXXMethodDecl *m : c->methods())
			if (m->getAccess() == AS_public && !m->isStatic() && !m->isImplicit() && !m->isDeleted())
				put(context, m, name);
	}

	void list(const ASTContext &context, const DeclContext *scope, const std::string &owner)
	{
		for (const Decl *d : scope->decls()) {
			if (context.getSourceManager().isInSystemHeader(d->getLocation()))
				continue;
			if (const auto *t = dyn_cast<ClassTemplateDecl>(d))
				list_class(context, t->getTemplatedDecl(), name_of(t));
			else if (const auto *c = dyn_cast<CXXRecordDecl>(d))
				list_class(context, c, c->isImplicit() ? "" : c->getQualifiedNameAsString());
			else if (const auto *f = dyn_cast<FunctionDecl>(d))
				put(context, f, owner);
			else if (isa<NamespaceDecl>(d) || isa<LinkageSpecDecl>(d))
				list(context, cast<DeclContext>(d), owner);
		}
	}

	llvm::raw_ostream &out;
};

/* Runs the job that the driver has made of the command. */
bool execute(const driver::Command &job, const char *name, FrontendAction &action)
{
	/* It is left to the end of the process, as with the executable (-disable-free). */
	CompilerInstance &instance = *new CompilerInstance;
	TextDiagnosticBuffer *const early = new TextDiagnosticBuffer;
	DiagnosticsEngine engine(new DiagnosticIDs, new DiagnosticOptions, early);
	const llvm::ArrayRef<const char *> words(job.getArguments()); /* -cc1 first */

	const bool understood = CompilerInvocation::CreateFromArgs(instance.getInvocation(), words.slice(1), engine, name);
	instance.createDiagnostics();
	early->FlushDiagnostics(instance.getDiagnostics());
	return understood && !instance.getDiagnostics().hasErrorOccurred() && instance.ExecuteAction(action);
}

/* clang++-19 stands for clang-19 --driver-mode=g++. */
void add_mode(Words &words, const driver::ParsedClangName &name)
{
	if (name.DriverMode)
		words.insert(words.begin() + 1, name.DriverMode);
}

bool translate(char **given, int count, FrontendAction &action)
{
	Words words(given, given + count);

	noteBottomOfStack();
	const IntrusiveRefCntPtr<DiagnosticOptions> options = CreateAndPopulateDiagOpts(words);
	TextDiagnosticPrinter *const printer = new TextDiagnosticPrinter(llvm::errs(), &*options);
	printer->setPrefix(std::string(llvm::sys::path::stem(words[0])));
	DiagnosticsEngine engine(new DiagnosticIDs, &*options, printer);
	ProcessWarningOptions(engine, *options, false);

	/* Headers and libraries are found from where the executable is. */
	driver::Driver driver(LP_CLANG_PATH, llvm::sys::getDefaultTargetTriple(), engine);
	const driver::ParsedClangName name = driver::ToolChain::getTargetAndModeFromProgramName(words[0]);
	driver.setTargetAndMode(name);
	add_mode(words, name);
	const std::unique_ptr<driver::Compilation> compilation(driver.BuildCompilation(words));
	if (!compilation || compilation->containsError() || engine.hasErrorOccurred())
		return false;
	const driver::JobList &jobs = compilation->getJobs();
	if (jobs.size() != 1 || llvm::StringRef(jobs.begin()->getCreator().getName()) != "clang") {
		llvm::errs() << "linchpin-fe: not a command that translates one source file\n";
		return false;
	}
	return execute(*jobs.begin(), words[0], action);
}

} // namespace

LLVMMemoryBufferRef lp_clang_translate(char **words, int count)
{
	llvm::SmallVector<char, 0> bitcode;
	Emit action(&bitcode);

	if (!translate(words, count, action))
		return nullptr;
	return LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode.data(), bitcode.size(), "");
}

bool lp_clang_declarations(const char *file, char **words, int count)
{
	std::error_code error;
	llvm::raw_fd_ostream out(file, error);
	Declare action(out);

	return !error && translate(words, count, action) && !out.has_error();
}

bool lp_clang_write(char **words, int count)
{
	Emit action(nullptr);

	return translate(words, count, action);
}
